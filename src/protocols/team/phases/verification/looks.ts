/**
 * The looks that verifiers take at a joined commit. Up to version 2: one each, and one more at what they
 * differ about. From version 3 on a test of theirs that is red is locked, both see it, and nothing that a
 * test has to show is met before both have looked for the case that neither has tried.
 */
import { fact } from '../../facts.ts';
import type { LockedTest } from '../../fold.ts';
import type { Given, LookingAgain, VerifyContext } from '../../prompts/verify.ts';
import { droppedBy } from '../../rules/locked.ts';
import { disputedIn, shownMetIn, unshownIn } from '../../rules/verdicts.ts';
import { lockProbes } from '../locked.ts';
import type { WorkState } from '../state.ts';
import { askVerifier, type Looking, VERIFIERS } from './ask.ts';
import { globsOf } from './probe.ts';

export interface Looked {
  readonly verdicts: readonly Given[];
  /** Absent of runs from before version 3. */
  readonly locked?:
    | {
        readonly red: readonly LockedTest[];
        readonly dropped: readonly (LockedTest & { readonly why: string })[];
      }
    | undefined;
}

type Place = Omit<Looking, 'seat' | 'again'>;

/** @returns why there is no verdict, where no verifier has given one */
export async function look(
  state: WorkState,
  key: string,
  place: Place,
): Promise<Looked | { readonly why: string }> {
  const first = await askAll(state, key, '', place);
  // Nobody's work is to blame for that.
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
  again?: (seat: string) => LookingAgain,
): Promise<Given[]> {
  return Promise.all(
    VERIFIERS.slice(0, state.team.config.verifiers).map((seat) =>
      askVerifier(state, `${key}/${seat}${name}`, { ...place, seat, again: again?.(seat) }),
    ),
  );
}

/** Up to version 2: at what they differ about, and at what nobody has named a place for. */
async function lookAgain(
  state: WorkState,
  key: string,
  place: Place,
  first: readonly Given[],
): Promise<readonly Given[]> {
  const { requirements } = place.context;
  const { edition } = state.team;
  const again = [
    ...new Set([...disputedIn(first, edition), ...unshownIn(first, requirements, edition)]),
  ].sort();
  if (again.length === 0) return first;
  const second = await askAll(state, key, '-again', place, (seat) => ({
    ...{ requirements: again, disputed: [], unshown: [], isLast: true },
    own: first.filter((one) => one.seat === seat),
    others: first.filter((one) => one.seat !== seat),
  }));
  return [...first, ...second];
}

/**
 * From version 3 on. The second look is at everything that is not agreed to be unmet: what is disputed or
 * shown by no place, what a locked test says otherwise, and what a test has to show and both call met. A
 * test that only the second look has made red is looked at once more, so that a wrong one can go.
 */
async function lookFurther(
  state: WorkState,
  key: string,
  place: Place,
  first: readonly Given[],
): Promise<Looked> {
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
      disputed: disputedIn(before, edition).filter((id) => again.includes(id)),
      unshown: unshownIn(before, context.requirements, edition).filter((id) => again.includes(id)),
      own: before.filter((one) => one.seat === seat),
      others: before.filter((one) => one.seat !== seat),
      isLast,
    }));
    verdicts = [...verdicts, ...more];
    fresh = isLast ? [] : await lockProbes(state, `${key}/again`, on, workstream, more);
    red = [...red, ...fresh];
  }
  const seats = VERIFIERS.slice(0, team.config.verifiers);
  const dropped = droppedBy(red, verdicts, seats, context.requirements);
  if (dropped.length > 0)
    await team.record(
      `${key}/dropped`,
      { dropped },
      dropped.map((one) => fact('test.dropped', { workstream: workstream.id, round, ...one })),
    );
  const isDropped = ({ path }: LockedTest) => dropped.find((one) => one.path === path);
  return {
    verdicts,
    locked: {
      red: red.filter((one) => isDropped(one) === undefined),
      dropped: red.flatMap((one) => {
        const said = isDropped(one)?.said;
        return said === undefined ? [] : [{ ...one, why: said.map(({ why }) => why).join('; ') }];
      }),
    },
  };
}

function ofTests(tests: readonly LockedTest[]): readonly string[] {
  return [...new Set(tests.map(({ requirement }) => requirement))].sort();
}

function toLookAt(
  { requirements, untested = [] }: VerifyContext,
  verdicts: readonly Given[],
  red: readonly LockedTest[],
  edition: number,
): readonly string[] {
  const met = shownMetIn(verdicts, requirements, edition);
  const byTest = requirements.flatMap(({ id, proof }) =>
    (proof === 'test' || untested.includes(id)) && met.includes(id) ? [id] : [],
  );
  return [
    ...new Set([
      ...disputedIn(verdicts, edition),
      ...unshownIn(verdicts, requirements, edition),
      ...ofTests(red),
      ...byTest,
    ]),
  ].sort();
}

/** With the tests that are red by now, whole. */
function withRed(place: Place, red: readonly LockedTest[]): Place {
  const { context } = place;
  const shown = red.map(({ path, requirement, by, shows, text, output }) => ({
    ...{ path, requirement, by, shows },
    red: { text, output },
  }));
  return { ...place, context: { ...context, locked: [...(context.locked ?? []), ...shown] } };
}
