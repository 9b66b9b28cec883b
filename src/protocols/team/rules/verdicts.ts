/** The verifiers' verdicts, held against what stands in the files, and the joint verdict of code. */
import { joinLines } from '../../../text/line.ts';
import type { FactOf, RequirementState } from '../facts.ts';
import type { Verdict } from '../forms/work.ts';
import { stands } from './quotations.ts';

type Given = FactOf<'verdict.given'>;
type Item = Given['items'][number];

/** Each item and defect with whether its quotation stands in the file it names. */
export function lookUpQuotations(
  verdict: Omit<Verdict, 'probe'> & { readonly probe?: unknown },
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
export function disputedIn(verdicts: readonly Given[], edition: number): readonly string[] {
  const ids = new Set(verdicts.flatMap(({ items }) => items.map(({ requirement }) => requirement)));
  return [...ids]
    .filter((id) => {
      const said = saidOf(id, verdicts, edition);
      return said.some(({ met }) => met === 'yes') && said.some(({ met }) => met === 'no');
    })
    .sort();
}

/** Of these no verifier has said anything with a place that stands. */
export function unshownIn(
  verdicts: readonly Given[],
  requirements: readonly { readonly id: string }[],
  edition: number,
): readonly string[] {
  return requirements.flatMap(({ id }) => (saidOf(id, verdicts, edition).length === 0 ? [id] : []));
}

/** Requirements that at least one verifier shows to be met, and none not to be. */
export function shownMetIn(
  verdicts: readonly Given[],
  requirements: readonly { readonly id: string }[],
  edition: number,
): readonly string[] {
  return requirements.flatMap(({ id }) => {
    const said = saidOf(id, verdicts, edition);
    return said.length > 0 && said.every(({ met }) => met === 'yes') ? [id] : [];
  });
}

/** A locked test of a verifier, as it bears on the joint verdict. */
interface Locked {
  readonly requirement: string;
  readonly path: string;
  readonly by: string;
  readonly shows: string;
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
  /** Requirements for which there are tests that were red on the base and pass now, and these tests. */
  readonly shown: readonly {
    readonly requirement: string;
    readonly tests: readonly string[];
    /** By somebody who had not seen the work, or by whoever did it. */
    readonly by: 'verifier' | 'work';
    /** Of a verifier's own: whose it is, and what it was red on. */
    readonly whose?: string | undefined;
  }[];
  /**
   * Requirements of which who writes acceptance tests said why no test can show them; from version 3 on a
   * person takes such a requirement as met, or nobody does.
   */
  readonly untestable?: readonly string[] | undefined;
  /**
   * From version 3 on: verifiers' tests that are red on this commit, and those that both verifiers dropped;
   * a red one outweighs every yes, and only tests of somebody other than who did the work prove.
   */
  readonly locked?:
    | {
        readonly red: readonly Locked[];
        readonly dropped: readonly (Locked & { readonly why: string })[];
      }
    | undefined;
  /** Checks by how they ended on this commit, from version 3 on. A red one was red on the base as well. */
  readonly checks?: CheckEnds | undefined;
  /** Requirements that a person takes as met without the proof that they ask for. */
  readonly taken?: readonly string[] | undefined;
  /** The version of the run's rules, 1 for runs without one. */
  readonly edition: number;
}

/** Ids of checks by how they ended on a commit. */
export interface CheckEnds {
  readonly green: readonly string[];
  readonly red: readonly string[];
  /** Checks of the plan that never ran, because they cannot start on the base; from version 5 on. */
  readonly left?: readonly string[] | undefined;
}

/**
 * A red check or probe fails. A requirement is met where a verifier showed it, by a quotation that was
 * found, and none showed the opposite; one to be proved by a test is met only where a test that was red
 * before is green now, or none could be written and it was read. Said without a place: neither way. From
 * version 3 on a verifier's locked test that is red makes its requirement unmet, whoever says yes.
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
  const probes = (input.locked === undefined ? verdicts : []).flatMap(({ seat, probe }) =>
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
            why: `${id} is not met: ${whyUnmet(id, input)}`,
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

function whyUnmet(id: string, { verdicts, locked, edition }: JointInput): string {
  const said = saidOf(id, verdicts, edition).flatMap(({ met, why }) => (met === 'no' ? [why] : []));
  const red = (locked?.red ?? []).filter(({ requirement }) => requirement === id);
  return [...said.slice(0, 1), ...red.map(tellLocked)].join('; ');
}

function tellLocked({ path, by, shows }: Locked): string {
  return `the test ${path} of ${by} is red: ${shows}`;
}

function stateOf(
  { id, proof }: JointInput['requirements'][number],
  { verdicts, red, shown, untestable = [], locked, taken = [], checks, edition }: JointInput,
): RequirementState {
  if (locked?.red.some(({ requirement }) => requirement === id)) return 'unmet';
  const said = saidOf(id, verdicts, edition);
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
    taken.includes(id) ||
    (proof === 'check'
      ? red.length === 0 && isChecked(checks)
      : shown.some(
          ({ requirement, by }) =>
            requirement === id && (locked === undefined || by === 'verifier'),
        ) ||
        (locked === undefined && untestable.includes(id)));
  return proved ? 'met' : 'unproved';
}

/**
 * Returns whether checks show what a check is to show: one is green, none is red, and from version 5 on none
 * was left out. Up to version 2 nobody looked.
 */
export function isChecked(checks: CheckEnds | undefined): boolean {
  if (checks === undefined) return true;
  const { green, red, left = [] } = checks;
  return green.length > 0 && red.length === 0 && left.length === 0;
}

/** The evidence of a requirement that a person takes as met without the proof that it asks for. */
export const TAKEN = 'a person takes it as met';

function evidenceOf(
  { id, proof }: JointInput['requirements'][number],
  { verdicts, red, shown, untestable = [], locked, taken = [], checks, edition }: JointInput,
): string[] {
  const ofIt = <T extends { readonly requirement: string }>(all: readonly T[] = []): readonly T[] =>
    all.filter(({ requirement }) => requirement === id);
  return [
    ...ofIt(locked?.red).map(tellLocked),
    ...byPlace(saidOf(id, verdicts, edition)),
    // A test of the work says nothing of what is to be shown by other means.
    ...(proof === 'test' ? shown : []).flatMap(({ requirement, tests, by, whose }) =>
      requirement === id
        ? [
            `${tests.join(', ')}, ${whose ?? (by === 'work' ? 'of the work itself: red on the base' : 'written before the work: red on the base')}, green now`,
          ]
        : [],
    ),
    ...(taken.includes(id) ? [TAKEN] : []),
    ...ofIt(locked?.dropped).map(
      ({ path, by, why }) =>
        `the test ${path} of ${by} is red, and both verifiers dropped it: ${why}`,
    ),
    ...(proof === 'test' && untestable.includes(id) && locked === undefined
      ? ['no test can show it: it was read']
      : []),
    ...(proof === 'check' && red.length > 0 ? [`red: ${red.join(', ')}`] : []),
    ...(proof === 'check' && checks !== undefined ? tellChecked(checks) : []),
  ];
}

function tellChecked({ green, red, left = [] }: CheckEnds): string[] {
  return [
    ...(green.length === 0 ? ['no check is green on it'] : [`green now: ${green.join(', ')}`]),
    ...(red.length === 0 ? [] : [`red, as on the base: ${red.join(', ')}`]),
    ...(left.length === 0 ? [] : [`never ran, since it cannot start: ${left.join(', ')}`]),
  ];
}

/** Who says the same of the same place says it once, in the words of the first. */
function byPlace(said: readonly (Item & { readonly seat: string })[]): string[] {
  const places = new Map<string, { readonly seats: string[]; readonly one: Item }>();
  for (const one of said) {
    const place = JSON.stringify([one.met, one.path, joinLines(one.quote)]);
    const known = places.get(place);
    if (known === undefined) places.set(place, { seats: [one.seat], one });
    else known.seats.push(one.seat);
  }
  return [...places.values()].map(
    ({ seats, one: { met, path, quote, why } }) =>
      `${[...new Set(seats)].map((seat) => `${seat}: ${met}, `).join('')}${path}: ${quote.trim()} (${why})`,
  );
}

/**
 * Returns what verifiers showed of a requirement, each by a quotation that was found: the last word of each
 * seat. A seat that says both yes and no of it in one verdict has shown that it is not met. From version 5
 * on a "no" holds until the same seat shows a "yes": saying nothing, or naming no place, takes nothing back.
 */
function saidOf(
  id: string,
  verdicts: readonly Given[],
  edition: number,
): (Item & { readonly seat: string })[] {
  const last = new Map<string, readonly Item[]>();
  for (const { seat, items } of verdicts) {
    const about = items.filter(({ requirement }) => requirement === id);
    if (about.length === 0) continue;
    const shown = about.filter(({ found, met }) => found && met !== 'unclear');
    const no = shown.filter(({ met }) => met === 'no');
    const holdsNo = edition >= 5 && last.get(seat)?.some(({ met }) => met === 'no');
    if (shown.length === 0 && holdsNo) continue;
    last.set(seat, no.length > 0 ? no : shown);
  }
  return [...last].flatMap(([seat, items]) => items.map((one) => ({ ...one, seat })));
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
