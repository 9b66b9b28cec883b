/**
 * Runs the verifiers' looks at a merged commit. Up to version 2 of the rules, each verifier looks once, and
 * again at what they disagree about. From version 3 on, red tests of verifiers are locked and shown to
 * both, and requirements that need a test are looked at twice.
 */
import { fact } from '../../facts.ts';
import type { LockedTest } from '../../fold.ts';
import type { GivenVerdict, RepeatedQuestion, VerifyContext } from '../../prompts/verify.ts';
import { findDroppedTests } from '../../rules/locked.ts';
import { findDisputed, findShownMet, findUnshown } from '../../rules/verdicts.ts';
import { lockProbes } from '../locked.ts';
import type { WorkState } from '../state.ts';
import { askVerifier, VERIFIERS, type VerifierQuestion } from './ask.ts';
import { globsOf } from './probe.ts';

/** The verdicts of all verifiers on a merged commit, from all times they were asked. */
export interface AllVerdicts {
  readonly verdicts: readonly GivenVerdict[];
  /**
   * Verifiers' tests that fail on the commit, and those that both verifiers dropped; undefined
   * before version 3 of the rules.
   */
  readonly locked?:
    | {
        readonly red: readonly LockedTest[];
        readonly dropped: readonly (LockedTest & { readonly why: string })[];
      }
    | undefined;
}

type Place = Omit<VerifierQuestion, 'seat' | 'again'>;

/**
 * Asks all verifiers about a workstream, and asks them again where the rules require it.
 * @param key the prefix of the recorded steps
 * @returns the verdicts, or `why` there are none because no verifier answered
 */
export async function askAllVerifiers(
  state: WorkState,
  key: string,
  place: Place,
): Promise<AllVerdicts | { readonly why: string }> {
  const first = await askAll(state, key, '', place);
  // If no verifier answered, return the reason instead of verdicts: this is no fault of the work.
  if (first.every(({ verdict }) => verdict === undefined))
    return {
      why: `nobody verified ${place.workstream.id}: ${first[0]?.why ?? 'nobody was asked'}`,
    };
  return state.team.edition < 3
    ? { verdicts: await lookAgain(state, key, place, first) }
    : lookFurther(state, key, place, first);
}

function askAll(
  state: WorkState,
  key: string,
  name: string,
  place: Place,
  again?: (seat: string) => RepeatedQuestion,
): Promise<GivenVerdict[]> {
  return Promise.all(
    VERIFIERS.slice(0, state.team.config.verifiers).map((seat) =>
      askVerifier(state, `${key}/${seat}${name}`, { ...place, seat, again: again?.(seat) }),
    ),
  );
}

/**
 * Asks again about requirements that verifiers disagree about or gave no quotation for. Used up to version
 * 2 of the rules.
 */
async function lookAgain(
  state: WorkState,
  key: string,
  place: Place,
  first: readonly GivenVerdict[],
): Promise<readonly GivenVerdict[]> {
  const { requirements } = place.context;
  const { edition } = state.team;
  const again = [
    ...new Set([...findDisputed(first, edition), ...findUnshown(first, requirements, edition)]),
  ].sort();
  if (again.length === 0) return first;
  const second = await askAll(state, key, '-again', place, (seat) => ({
    requirements: again,
    disputed: [],
    unshown: [],
    isLast: true,
    own: first.filter((verdict) => verdict.seat === seat),
    others: first.filter((verdict) => verdict.seat !== seat),
  }));
  return [...first, ...second];
}

/**
 * Asks for a second look, from version 3 of the rules on: at requirements that are disputed, shown by no
 * quotation, contradicted by a locked test, or called met but in need of a test. A test that turned red only
 * in the second look leads to a third look, in which verifiers can drop the test.
 */
async function lookFurther(
  state: WorkState,
  key: string,
  place: Place,
  first: readonly GivenVerdict[],
): Promise<AllVerdicts> {
  const { team } = state;
  const { edition } = team;
  const { workstream, round, joined, context } = place;
  const { isAlone } = place;
  const on = { commit: joined.commit, round, globs: globsOf(state), isAlone };
  let verdicts = first;
  let red = await lockProbes(state, key, on, workstream, first);
  let fresh = red;
  for (const name of ['again', 'last'] as const) {
    const isLast = name === 'last';
    const again = isLast ? ofTests(fresh) : toLookAt(context, verdicts, red, edition);
    if (again.length === 0 || (isLast && fresh.length === 0)) continue;
    const before = verdicts;
    const more = await askAll(state, key, `-${name}`, withRed(place, red), (seat) => ({
      requirements: again,
      disputed: findDisputed(before, edition).filter((id) => again.includes(id)),
      unshown: findUnshown(before, context.requirements, edition).filter((id) =>
        again.includes(id),
      ),
      own: before.filter((verdict) => verdict.seat === seat),
      others: before.filter((verdict) => verdict.seat !== seat),
      isLast,
    }));
    verdicts = [...verdicts, ...more];
    fresh = isLast ? [] : await lockProbes(state, `${key}/again`, on, workstream, more);
    red = [...red, ...fresh];
  }
  const seats = VERIFIERS.slice(0, team.config.verifiers);
  const dropped = findDroppedTests(red, verdicts, seats, context.requirements);
  if (dropped.length > 0)
    await team.record(
      `${key}/dropped`,
      { dropped },
      dropped.map((drop) => fact('test.dropped', { workstream: workstream.id, round, ...drop })),
    );
  const isDropped = ({ path }: LockedTest) => dropped.find((drop) => drop.path === path);
  return {
    verdicts,
    locked: {
      red: red.filter((lockedTest) => isDropped(lockedTest) === undefined),
      dropped: red.flatMap((lockedTest) => {
        const said = isDropped(lockedTest)?.said;
        return said === undefined
          ? []
          : [{ ...lockedTest, why: said.map(({ why }) => why).join('; ') }];
      }),
    },
  };
}

function ofTests(tests: readonly LockedTest[]): readonly string[] {
  return [...new Set(tests.map(({ requirement }) => requirement))].sort();
}

function toLookAt(
  { requirements, untested = [] }: VerifyContext,
  verdicts: readonly GivenVerdict[],
  red: readonly LockedTest[],
  edition: number,
): readonly string[] {
  const met = findShownMet(verdicts, requirements, edition);
  const byTest = requirements.flatMap(({ id, proof }) =>
    (proof === 'test' || untested.includes(id)) && met.includes(id) ? [id] : [],
  );
  return [
    ...new Set([
      ...findDisputed(verdicts, edition),
      ...findUnshown(verdicts, requirements, edition),
      ...ofTests(red),
      ...byTest,
    ]),
  ].sort();
}

/** Adds the full text and output of the red tests to what verifiers are shown. */
function withRed(place: Place, red: readonly LockedTest[]): Place {
  const { context } = place;
  const shown = red.map(({ path, requirement, by, shows, text, output }) => ({
    path,
    requirement,
    by,
    shows,
    red: { text, output },
  }));
  return { ...place, context: { ...context, locked: [...(context.locked ?? []), ...shown] } };
}
