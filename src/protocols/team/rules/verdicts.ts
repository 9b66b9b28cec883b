/** The verifiers' verdicts, held against what stands in the files, and the joint verdict of code. */
import type { FactOf, RequirementState } from '../facts.ts';
import type { Verdict } from '../forms/work.ts';
import { stands } from './quotations.ts';

type Given = FactOf<'verdict.given'>;
type Item = Given['items'][number];

/** Each item and defect with whether its quotation stands in the file it names. */
export function lookUpQuotations(
  verdict: Verdict,
  textOf: (path: string) => string | undefined,
): Pick<Given, 'items' | 'defects' | 'cause' | 'verdict'> {
  const look = <T extends { readonly path: string; readonly quote: string }>(one: T) => ({
    ...one,
    found: stands(one.quote, textOf(one.path) ?? ''),
  });
  return {
    verdict: verdict.verdict,
    items: verdict.items.map(look),
    defects: verdict.defects.map(look),
    cause: verdict.cause,
  };
}

/** Requirements that one verifier says are met and another that they are not, each with a quotation. */
export function disputedIn(verdicts: readonly Given[]): readonly string[] {
  const ids = new Set(verdicts.flatMap(({ items }) => items.map(({ requirement }) => requirement)));
  return [...ids]
    .filter((id) => {
      const said = saidOf(id, verdicts);
      return said.some(({ met }) => met === 'yes') && said.some(({ met }) => met === 'no');
    })
    .sort();
}

export interface JointInput {
  readonly requirements: readonly {
    readonly id: string;
    readonly proof: 'test' | 'check' | 'read';
  }[];
  /** The last of each verifier; what was looked at again stands in place of what was said before. */
  readonly verdicts: readonly Given[];
  /** Checks on the joined commit that are red, by name. */
  readonly red: readonly string[];
  /** Requirements whose acceptance tests were red on the base and pass now. */
  readonly shown: readonly string[];
  /** Requirements of which who writes acceptance tests said why no test can show them. */
  readonly untestable?: readonly string[] | undefined;
}

/**
 * A red check or probe fails. A requirement is met where a verifier showed it, by a quotation that was
 * found, and none showed the opposite; one to be proved by a test is met only where a test that was red
 * before is green now, or none could be written and it was read. Said without a place: neither way.
 */
export function joinVerdicts(input: JointInput): {
  readonly verdict: 'pass' | 'fail';
  readonly requirements: readonly {
    readonly id: string;
    readonly state: RequirementState;
    readonly evidence: readonly string[];
  }[];
  readonly failing: readonly { readonly task: string; readonly why: string }[];
  readonly cause: Given['cause'];
} {
  const { verdicts, red } = input;
  const requirements = input.requirements.map((one) => ({
    id: one.id,
    state: stateOf(one, input),
    evidence: evidenceOf(one, input),
  }));
  const probes = verdicts.flatMap(({ seat, probe }) =>
    probe?.state === 'failed' ? [{ task: '', why: `${seat}'s probe fails: ${probe.shows}` }] : [],
  );
  const defects = verdicts.flatMap(({ verdict, defects: found }) =>
    // Who passes the work only remarks on it.
    verdict === 'pass'
      ? []
      : found
          .filter((one) => one.found)
          .map(({ task, path, why }) => ({ task, why: `${path}: ${why}` })),
  );
  const unmet = requirements.flatMap(({ id, state }) =>
    state === 'unmet'
      ? [
          {
            task: '',
            why: `${id} is not met: ${saidOf(id, verdicts).find(({ met }) => met === 'no')?.why ?? ''}`,
          },
        ]
      : [],
  );
  const failing = [
    ...red.map((check) => ({ task: '', why: `check ${check} is red` })),
    ...probes,
    ...defects,
    ...unmet,
  ];
  const met = requirements.every(({ state }) => state === 'met');
  return {
    verdict: met && failing.length === 0 ? 'pass' : 'fail',
    requirements,
    failing,
    cause: failing.length === 0 ? 'none' : causeOf(verdicts),
  };
}

function stateOf(
  { id, proof }: JointInput['requirements'][number],
  { verdicts, red, shown, untestable = [] }: JointInput,
): RequirementState {
  const said = saidOf(id, verdicts);
  const yes = said.some(({ met }) => met === 'yes');
  const no = said.some(({ met }) => met === 'no');
  if (yes && no)
    return verdicts.some(({ again, items }) => again && items.some((one) => one.requirement === id))
      ? 'unproved'
      : 'disputed';
  if (no) return 'unmet';
  if (!yes) return 'unproved';
  const proved =
    proof === 'read' ||
    (proof === 'check' ? red.length === 0 : shown.includes(id) || untestable.includes(id));
  return proved ? 'met' : 'unproved';
}

function evidenceOf(
  { id, proof }: JointInput['requirements'][number],
  { verdicts, red, shown, untestable = [] }: JointInput,
): string[] {
  const shownBy = saidOf(id, verdicts).map(
    ({ seat, met, path, quote, why }) => `${seat}: ${met}, ${path}: ${quote} (${why})`,
  );
  return [
    // A verifier may name one place twice.
    ...new Set(shownBy),
    ...(shown.includes(id) ? ['its test was red on the base and passes now'] : []),
    ...(proof === 'test' && untestable.includes(id) ? ['no test can show it: it was read'] : []),
    ...(proof === 'check' && red.length > 0 ? [`red: ${red.join(', ')}`] : []),
  ];
}

/**
 * What was shown of a requirement, with a quotation that was found, by the last word of each seat about
 * it. Who says both yes and no of one has shown that it is not met.
 */
function saidOf(id: string, verdicts: readonly Given[]): (Item & { readonly seat: string })[] {
  const last = new Map<string, readonly Item[]>();
  for (const { seat, items } of verdicts) {
    const about = items.filter(({ requirement }) => requirement === id);
    if (about.length > 0) last.set(seat, about);
  }
  return [...last].flatMap(([seat, items]) => {
    const shown = items.filter(({ found, met }) => found && met !== 'unclear');
    const no = shown.filter(({ met }) => met === 'no');
    return (no.length > 0 ? no : shown).map((one) => ({ ...one, seat }));
  });
}

/** Where verifiers differ, the cause that is nearest to the work: going up is for when that did not help. */
function causeOf(verdicts: readonly Given[]): Given['cause'] {
  const causes = new Set(
    verdicts
      .filter(
        ({ items, defects }) =>
          items.some(({ found, met }) => found && met === 'no') ||
          defects.some(({ found }) => found),
      )
      .map(({ cause }) => cause),
  );
  return (['work', 'brief', 'design'] as const).find((cause) => causes.has(cause)) ?? 'work';
}
