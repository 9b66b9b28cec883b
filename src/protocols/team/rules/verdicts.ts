/** Looks up verifiers' quotations in the files, and joins the verdicts of all verifiers into one. */
import { joinLines } from '../../../text/line.ts';
import type { FactOf, RequirementState } from '../facts.ts';
import type { Verdict } from '../forms/work.ts';
import { isQuotedFrom } from './quotations.ts';

type Given = FactOf<'verdict.given'>;
type Item = Given['items'][number];

/**
 * Looks up the quotations of a verdict. In the result, each item and defect has `found`: whether
 * its quotation occurs in the file it names.
 * @param textOf returns a file's text, or undefined if there is no such file
 */
export function lookUpQuotations(
  verdict: Omit<Verdict, 'probe'> & { readonly probe?: unknown },
  textOf: (path: string) => string | undefined,
): Pick<Given, 'items' | 'defects' | 'cause' | 'verdict'> {
  const lookUp = <T extends { readonly path: string; readonly quote: string }>(item: T) => ({
    ...item,
    found: isQuotedFrom(item.quote, textOf(item.path) ?? ''),
  });
  return {
    verdict: verdict.verdict,
    items: verdict.items.map(lookUp),
    defects: verdict.defects.map(lookUp),
    cause: verdict.cause,
  };
}

/**
 * Returns, sorted, the requirements that one verifier shows to be met and another shows to be
 * unmet.
 * @param edition the version of the rules that the run follows
 */
export function findDisputed(verdicts: readonly Given[], edition: number): readonly string[] {
  const ids = new Set(verdicts.flatMap(({ items }) => items.map(({ requirement }) => requirement)));
  return [...ids]
    .filter((id) => {
      const said = saidOf(id, verdicts, edition);
      return said.some(({ met }) => met === 'yes') && said.some(({ met }) => met === 'no');
    })
    .sort();
}

/**
 * Returns the requirements that no verifier shows to be met or unmet by a quotation that was found in the
 * files.
 * @param edition the version of the rules that the run follows
 */
export function findUnshown(
  verdicts: readonly Given[],
  requirements: readonly { readonly id: string }[],
  edition: number,
): readonly string[] {
  return requirements.flatMap(({ id }) => (saidOf(id, verdicts, edition).length === 0 ? [id] : []));
}

/**
 * Returns the requirements that at least one verifier shows to be met and none shows to be unmet.
 * @param edition the version of the rules that the run follows
 */
export function findShownMet(
  verdicts: readonly Given[],
  requirements: readonly { readonly id: string }[],
  edition: number,
): readonly string[] {
  return requirements.flatMap(({ id }) => {
    const said = saidOf(id, verdicts, edition);
    return said.length > 0 && said.every(({ met }) => met === 'yes') ? [id] : [];
  });
}

/** A test that a verifier wrote and that failed on the work, so that the work must pass it. */
interface Locked {
  readonly requirement: string;
  readonly path: string;
  readonly by: string;
  readonly shows: string;
}

/** Everything from which the verdict on a commit is derived. */
export interface JointInput {
  readonly requirements: readonly {
    readonly id: string;
    readonly proof: 'test' | 'check' | 'read';
  }[];
  /** The verdicts of all verifiers on the commit in the order in which they were given, with second looks. */
  readonly verdicts: readonly Given[];
  /**
   * Requirements with tests that failed before the work and pass now, and the paths of these tests.
   */
  readonly shown: readonly {
    readonly requirement: string;
    readonly tests: readonly string[];
    /** Whether a verifier wrote the tests or the seat that did the work. */
    readonly by: 'verifier' | 'work';
    /** Only for a verifier's test: who wrote the test and where it failed, such as `of t5-1: red on the base`. */
    readonly whose?: string | undefined;
  }[];
  /**
   * Requirements that the author of the acceptance tests called untestable. Up to version 2 of the rules, they
   * need no test to count as met.
   */
  readonly untestable?: readonly string[] | undefined;
  /**
   * Verifiers' tests that are red on this commit, and those that both verifiers dropped; undefined before
   * version 3 of the rules. A red test makes its requirement unmet. From version 3 on, tests by the seat that
   * did the work prove no requirement.
   */
  readonly locked?:
    | {
        readonly red: readonly Locked[];
        readonly dropped: readonly (Locked & { readonly why: string })[];
      }
    | undefined;
  /**
   * How checks ended on this commit; undefined before version 3 of the rules. A commit on which a check newly
   * fails is not verified, so a red check was red on the base as well.
   */
  readonly checks?: CheckEnds | undefined;
  /** Requirements that a person accepts as met without the required proof. */
  readonly taken?: readonly string[] | undefined;
  /** The version of the rules that the run follows; 1 for old runs that recorded none. */
  readonly edition: number;
}

/** Ids of checks, grouped by how they ended on a commit. */
export interface CheckEnds {
  readonly green: readonly string[];
  readonly red: readonly string[];
  /**
   * Checks of the plan that never ran, because they cannot start on the base. Recorded from version 5 of
   * the rules on.
   */
  readonly left?: readonly string[] | undefined;
}

/**
 * Derives the verdict on a commit from the verdicts of all verifiers, the tests and the checks. For a
 * requirement to be met, a verifier must show it by a quotation that was found, and none may show the
 * opposite. The proof that the plan asks for must exist as well, unless a person does without: a test that
 * failed before and passes now, passed checks, or a reading of the code. From version 3 of the rules on, a
 * failing test by a verifier makes its requirement unmet, whatever the verdicts say.
 * @returns `pass` if every requirement is met and `failing` is empty. `failing` lists what is wrong, with the
 * task to blame, or an empty text for the task if none is named. `cause` is what the failing verdicts blame,
 * and `none` if `failing` is empty.
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
  const { verdicts } = input;
  const requirements = input.requirements.map((requirement) => ({
    id: requirement.id,
    state: stateOf(requirement, input),
    evidence: evidenceOf(requirement, input),
  }));
  const probes = (input.locked === undefined ? verdicts : []).flatMap(({ seat, probe }) =>
    probe?.state === 'failed' ? [{ task: '', why: `${seat}'s probe fails: ${probe.shows}` }] : [],
  );
  const defects = verdicts.flatMap(({ verdict, defects: found }) =>
    // If a verifier passes the work, skip the defects in the verdict: they are remarks only.
    verdict === 'pass'
      ? []
      : found
          .filter((defect) => defect.found)
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
  const failing = [...probes, ...defects, ...unmet];
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
  { verdicts, shown, untestable = [], locked, taken = [], checks, edition }: JointInput,
): RequirementState {
  if (locked?.red.some(({ requirement }) => requirement === id)) return 'unmet';
  const said = saidOf(id, verdicts, edition);
  const yes = said.some(({ met }) => met === 'yes');
  const no = said.some(({ met }) => met === 'no');
  if (yes && no)
    return verdicts.some(
      ({ again, items }) => again && items.some((item) => item.requirement === id),
    )
      ? 'unproved'
      : 'disputed';
  if (no) return 'unmet';
  if (!yes) return 'unproved';
  const proved =
    proof === 'read' ||
    taken.includes(id) ||
    (proof === 'check'
      ? isChecked(checks)
      : shown.some(
          ({ requirement, by }) =>
            requirement === id && (locked === undefined || by === 'verifier'),
        ) ||
        (locked === undefined && untestable.includes(id)));
  return proved ? 'met' : 'unproved';
}

/**
 * Returns whether checks prove a requirement whose kind of proof is a check: at least one passed
 * and none failed. From version 5 of the rules on, none may have been left out either. Always true
 * if `checks` is undefined, as it is before version 3.
 */
export function isChecked(checks: CheckEnds | undefined): boolean {
  if (checks === undefined) return true;
  const { green, red, left = [] } = checks;
  return green.length > 0 && red.length === 0 && left.length === 0;
}

/**
 * The text recorded as evidence for a requirement that a person accepts as met without the required proof.
 */
export const TAKEN_BY_PERSON = 'a person takes it as met';

function evidenceOf(
  { id, proof }: JointInput['requirements'][number],
  { verdicts, shown, untestable = [], locked, taken = [], checks, edition }: JointInput,
): string[] {
  const ofIt = <T extends { readonly requirement: string }>(all: readonly T[] = []): readonly T[] =>
    all.filter(({ requirement }) => requirement === id);
  return [
    ...ofIt(locked?.red).map(tellLocked),
    ...byPlace(saidOf(id, verdicts, edition)),
    // Only the evidence of a requirement that tests have to prove lists green tests. Each of them was red before, on
    // the base or on a commit joined earlier.
    ...(proof === 'test' ? shown : []).flatMap(({ requirement, tests, by, whose }) =>
      requirement === id
        ? [
            `${tests.join(', ')}, ${whose ?? (by === 'work' ? 'of the work itself: red on the base' : 'written before the work: red on the base')}, green now`,
          ]
        : [],
    ),
    ...(taken.includes(id) ? [TAKEN_BY_PERSON] : []),
    ...ofIt(locked?.dropped).map(
      ({ path, by, why }) =>
        `the test ${path} of ${by} is red, and both verifiers dropped it: ${why}`,
    ),
    ...(proof === 'test' && untestable.includes(id) && locked === undefined
      ? ['no test can show it: it was read']
      : []),
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

/** Merges the statements of verifiers who quote the same place into one line, in the words of the first. */
function byPlace(said: readonly (Item & { readonly seat: string })[]): string[] {
  const places = new Map<string, { readonly seats: string[]; readonly one: Item }>();
  for (const item of said) {
    const place = JSON.stringify([item.met, item.path, joinLines(item.quote)]);
    const known = places.get(place);
    if (known === undefined) places.set(place, { seats: [item.seat], one: item });
    else known.seats.push(item.seat);
  }
  return [...places.values()].map(
    ({ seats, one: { met, path, quote, why } }) =>
      `${[...new Set(seats)].map((seat) => `${seat}: ${met}, `).join('')}${path}: ${quote.trim()} (${why})`,
  );
}

/**
 * Returns the last statements of each seat about a requirement whose quotations were found. A seat that
 * says both yes and no in one verdict counts as no. From version 5 of the rules on, a no holds until the
 * same seat shows a yes by a quotation.
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
  return [...last].flatMap(([seat, items]) => items.map((item) => ({ ...item, seat })));
}

/**
 * Returns the cause that the failing verdicts name. If they differ, the one closest to the work wins, so
 * that escalation is the last resort.
 */
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
