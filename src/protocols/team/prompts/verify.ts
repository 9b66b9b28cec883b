/**
 * Builds the prompts of T5 and of T1's decision at the end. Neither contains what the seats that did the
 * work say about it.
 */

import type { Message } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import type { TeamConfig } from '../config.ts';
import type { FactOf } from '../facts.ts';
import type { Task, TeamPlan } from '../forms/plan.ts';
import { buildPrompt, formatMaterial, joinRows } from './opening.ts';

/** What verifiers are shown of a workstream. */
export interface VerifyContext {
  readonly goal: string;
  readonly seed: number;
  /** The plan and the architecture, each as a part of the prompt. */
  readonly parts: readonly string[];
  readonly requirements: TeamPlan['requirements'];
  /** The finished tasks, with their latest briefs. */
  readonly tasks: readonly Pick<Task, 'id' | 'title' | 'covers' | 'files' | 'brief'>[];
  /** The changes of the workstream's files since the commit that the work started from, as a diff of limited length. */
  readonly diff: string;
  /** The results of the checks on the verified commit, as lines of text. */
  readonly checks: readonly string[];
  /** The output of the red checks, from version 4 of the rules on. */
  readonly red?: readonly RedCheck[] | undefined;
  /**
   * Tests by verifiers that no task may change. The tests that fail on the verified commit have their text
   * and output.
   */
  readonly locked?: readonly LockedShown[] | undefined;
  /**
   * True if none of the requirements can be judged yet, because they need later work too. Verifiers then only
   * look for defects.
   */
  readonly isLater?: boolean | undefined;
  /**
   * Requirements that need a test by somebody other than the seat that did the work, and have none.
   */
  readonly untested?: readonly string[] | undefined;
}

/** A check that is red, and what it printed. */
export interface RedCheck {
  readonly check: string;
  readonly output: string;
}

/** Formats what red checks printed, as parts of a prompt. */
export function redParts(red: readonly RedCheck[] = [], seed: number): string[] {
  return red.map(({ check, output }) =>
    formatMaterial(
      `What the check ${toLine(check)} printed, which is red:`,
      `red-${check}`,
      output,
      seed,
    ),
  );
}

/** A verifier's test as prompts show it. */
export interface LockedShown {
  readonly path: string;
  readonly requirement: string;
  /** The verifier's seat. */
  readonly by: string;
  /** What the test shows, in the verifier's words. */
  readonly shows: string;
  /** The text and output of a test that was red; undefined if it was green. */
  readonly red?: { readonly text: string; readonly output: string } | undefined;
  /** If `then`, the test was red or green when it was locked, and may not be any more. Default: `now`. */
  readonly as?: 'now' | 'then' | undefined;
}

function standingOf(isRed: boolean, as: LockedShown['as']): string {
  if (as === 'then') return `${isRed ? 'RED' : 'green'} when it was locked`;
  return isRed ? 'RED' : 'green now';
}

/**
 * Formats verifiers' tests as parts of a prompt: a line each, and the whole text of those that
 * fail.
 * @param seed decides the names of the fences around untrusted text
 */
export function lockedParts(locked: readonly LockedShown[], seed: number): string[] {
  return locked.length === 0
    ? []
    : [
        formatMaterial(
          'Tests of verifiers, which nobody who works may change and which have to be green:',
          'locked-tests',
          joinRows(
            locked.map(
              ({ path, requirement, by, shows, red, as }) =>
                `${path} (${requirement}, of ${by}), ${standingOf(red !== undefined, as)}: ${shows}`,
            ),
          ),
          seed,
        ),
        ...locked.flatMap(({ path, red, as }) =>
          red === undefined
            ? []
            : [
                formatMaterial(
                  `${toLine(path)}, which ${as === 'then' ? 'was red when it was locked' : 'is red'}:`,
                  `test-${path}`,
                  red.text,
                  seed,
                ),
                formatMaterial(
                  `What ${toLine(path)} printed${as === 'then' ? ' then' : ''}:`,
                  `printed-${path}`,
                  red.output,
                  seed,
                ),
              ],
        ),
      ];
}

function formatSharedParts(context: VerifyContext): string[] {
  const { parts, requirements, tasks, diff, checks, seed, red, locked = [], isLater } = context;
  return [
    ...parts,
    formatMaterial(
      'What was to be done:',
      'tasks',
      joinRows(
        tasks.map(
          ({ id, title, covers, files, brief }) =>
            `${id} (${covers.join(', ')}; ${files.join(' ')}): ${title}. Its brief: ${brief}`,
        ),
      ),
      seed,
    ),
    formatMaterial('The change against the base:', 'diff', removeHashLines(diff), seed),
    formatMaterial('What commands say of it:', 'checks', joinRows(checks), seed),
    ...redParts(red, seed),
    ...lockedParts(locked, seed),
    isLater === true
      ? 'Requirements to verify: none. All that this work is for are verified with work that is still to come: items is [], and you look for defects alone.'
      : `Requirements to verify: ${requirements.map(({ id }) => id).join(', ')}, in the words of the plan.`,
  ];
}

/** Removes the lines with hashes of files from a diff. */
export function removeHashLines(diff: string): string {
  return diff.replace(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/gm, '');
}

const ITEMS =
  'items: each requirement once. met: "yes" or "no" only with the place that shows it: path, and quote, a line or a few copied letter for letter from the file as it is now; code looks whether it stands there, and what does not stand there counts neither way. "unclear" where no place shows it.';

/** Tells verifiers which place to quote if something is missing, since what is missing cannot be quoted. */
const MISSING =
  ' Of something that is missing, the place is the line beside which it would have to stand.';

/** The version of the prompts, from the run's settings; undefined for old runs. */
type Edition = TeamConfig['version'];

function itemsTask(edition: Edition): string {
  return edition === undefined ? ITEMS : `${ITEMS}${MISSING}`;
}

/**
 * Builds the prompt that asks a verifier for its verdict.
 * @param probes the glob patterns that the path of a new test by the verifier has to match
 * @param edition the version of the rules and prompts that the run follows; undefined for old runs
 */
export function verifyMessages(
  context: VerifyContext,
  probes: readonly string[],
  edition: Edition,
): Message[] {
  return buildPrompt(context.goal, context.seed, formatSharedParts(context), [
    [
      'You are T5. Verify the committed work against its requirements, as somebody who wants to find what is wrong with it. What commands say is known: look for what they do not test.',
      itemsTask(edition),
      'defects: what is wrong, with the id of the task whose work it is, and its place: path, and a quote from there. cause: "work" where the brief was right and the work is not; "brief" where the task as written could not lead there; "design" where the plan or the architecture is wrong; "none" where nothing is wrong.',
      (edition ?? 1) >= 3
        ? provenProbe(context, probes)
        : `probe: at most one new test file that matches ${probes.join(' ')}, which code runs on a fresh tree with this commit: choose what would most likely fail if you are right. It passes where the requirement is met. null where none is worth it.`,
      'verdict: "pass" where nothing has to be put right before it is merged: your defects are remarks then, and change nothing. "fail" or "partial" where something has to: the work goes back with your defects.',
    ].join('\n'),
  ]);
}

/**
 * Describes the test that a verifier may write, from version 3 of the rules on: it is about one requirement
 * and stays in the work.
 */
function provenProbe({ untested = [] }: VerifyContext, probes: readonly string[]): string {
  return withoutFalse([
    `probe: at most one new test file that matches ${probes.join(' ')}, for the requirement that you name in it. Code runs it on a fresh tree with this commit. It tests what the words of the requirement say and nothing beyond them, by what can be called from outside, in the style of the tests that are there, and comes out the same every time and on every machine. Choose the case that a careless implementation would most likely get wrong: boundaries, empty and odd input, defaults, rounding, letters beyond ASCII, time zones, what is left behind after a failure, two at once. If it fails it is locked: the requirement is not met until it passes. A test that cannot be loaded is no evidence. null where you have found none that is worth it.`,
    untested.length !== 0 &&
      `Nobody but who did the work has a test for ${untested.join(', ')}: without one that fails on the base and passes here it cannot count as met. Write your probe for that.`,
  ]).join(' ');
}

/** A verifier's verdict on record. */
export type GivenVerdict = FactOf<'verdict.given'>;

/**
 * Formats what a verifier said about the given requirements, with quotations and whether they were found.
 */
function saidBy({ items }: GivenVerdict, requirements: readonly string[]): string[] {
  return items
    .filter(({ requirement }) => requirements.includes(requirement))
    .map(({ requirement, met, path, quote, why, found }) => {
      const place = quote.trim() === '' ? 'no place is named' : `${path}: “${quote}”`;
      const stands = found || quote.trim() === '' ? '' : ', which does not stand there';
      return toLine(`${requirement}: ${met}; ${place}${stands}. ${why}`);
    });
}

/**
 * Formats for a person what each verifier last said about the given requirements, or why the verifier gave no
 * verdict.
 */
export function tellSaid(
  verdicts: readonly GivenVerdict[],
  requirements: readonly string[],
): string[] {
  const last = new Map(verdicts.map((verdict) => [verdict.seat, verdict]));
  return [...last].flatMap(([seat, verdict]) =>
    verdict.why === undefined
      ? saidBy(verdict, requirements).map((row) => `${seat}: ${row}`)
      : [toLine(`${seat}: ${verdict.why}`)],
  );
}

/**
 * Builds the prompt that asks a verifier for a second verdict on the `disputed` requirements, and shows it the
 * earlier verdicts of both verifiers on them. Used up to version 2 of the rules.
 */
export function lookAgainMessages(
  context: VerifyContext,
  disputed: readonly string[],
  {
    own,
    others,
  }: { readonly own: readonly GivenVerdict[]; readonly others: readonly GivenVerdict[] },
  edition: Edition,
): Message[] {
  const tellVerdicts = (verdicts: readonly GivenVerdict[]): string[] =>
    verdicts.flatMap((verdict) => saidBy(verdict, disputed));
  return buildPrompt(context.goal, context.seed, formatSharedParts(context), [
    formatMaterial('You have said:', 'own', joinRows(tellVerdicts(own)), context.seed),
    formatMaterial(
      'Another verifier of the same commit says:',
      'other',
      joinRows(tellVerdicts(others)),
      context.seed,
    ),
    withoutFalse([
      `You are T5. Of ${disputed.join(', ')} it is not shown yet whether they are met: you two differ, or nobody gave a place that stands. Look again at these alone, in the files and not at who said it. Keep what you said where a place shows it; change it where the other place does.`,
      itemsTask(edition),
      edition !== undefined &&
        'This is the last look: what names no place that stands there counts as no verdict.',
      'defects: only those that follow for these requirements. probe: null.',
    ]).join('\n'),
  ]);
}

/** Why a verifier is asked for another verdict. */
export interface RepeatedQuestion {
  /** The requirements to verify. */
  readonly requirements: readonly string[];
  /**
   * Requirements that one verifier shows to be met and the other to be unmet. Empty up to version 2 of the rules.
   */
  readonly disputed: readonly string[];
  /** Requirements for which no quotation was found in the files. Empty up to version 2 of the rules. */
  readonly unshown: readonly string[];
  /** The verifier's own earlier verdicts. */
  readonly own: readonly GivenVerdict[];
  /** The verdicts of the other verifiers. */
  readonly others: readonly GivenVerdict[];
  /**
   * Whether the verifier is asked for the last time. Tests that have just failed can then be
   * dropped, and no new test is accepted.
   */
  readonly isLast: boolean;
}

/**
 * Builds the prompt that asks a verifier for a second or third verdict, from version 3 of the rules
 * on.
 * @param probes the glob patterns that the path of a new test by the verifier has to match
 */
export function lookFurtherMessages(
  context: VerifyContext,
  { requirements, disputed, unshown, own, others, isLast }: RepeatedQuestion,
  probes: readonly string[],
): Message[] {
  const tellVerdicts = (verdicts: readonly GivenVerdict[]): string[] =>
    verdicts.flatMap((verdict) => [...saidBy(verdict, requirements), ...tellProbe(verdict)]);
  const { locked = [], untested = [] } = context;
  const red = locked.flatMap((lockedTest) =>
    lockedTest.red === undefined ? [] : [lockedTest.path],
  );
  const left = requirements.filter((id) => !disputed.includes(id) && !unshown.includes(id));
  return buildPrompt(
    context.goal,
    context.seed,
    formatSharedParts(context),
    withoutFalse([
      formatMaterial('You have said:', 'own', joinRows(tellVerdicts(own)), context.seed),
      others.length !== 0 &&
        formatMaterial(
          'Another verifier of the same commit says:',
          'other',
          joinRows(tellVerdicts(others)),
          context.seed,
        ),
      withoutFalse([
        `You are T5. Look again, at ${requirements.join(', ')} alone, in the files and not at who said it.`,
        disputed.length !== 0 &&
          `Of ${disputed.join(', ')} one of you shows that it is met and one that it is not: keep what you said where a place shows it; change it where the other place does.`,
        unshown.length !== 0 && `Of ${unshown.join(', ')} nobody gave a place that stands.`,
        !isLast &&
          left.length !== 0 &&
          `Assume that there is a case in which ${left.join(', ')} ${left.length === 1 ? 'is' : 'are'} not met, and that neither of you has tried it. Find it.`,
        itemsTask(3),
        'This is the last look: what names no place that stands there counts as no verdict.',
        'defects: only those that follow for these requirements.',
        ...(isLast ? ['probe: null.'] : [provenProbe({ ...context, untested }, probes)]),
        red.length === 0
          ? 'drops: [].'
          : `drops: as long as ${red.map(toLine).join(', ')} ${red.length === 1 ? 'is' : 'are'} red, the work goes back. Only where a test asks for something else than its requirement says: its path, with quote, the words of the requirement that it goes against or beyond, copied letter for letter, and why. A test goes only if both of you say so; [] where it tests what the requirement says.`,
      ]).join('\n'),
    ]),
  );
}

/** Formats how a verifier's own test ended. */
function tellProbe({ probe }: GivenVerdict): string[] {
  if (probe === undefined) return [];
  const end = { passed: 'passes', failed: 'fails', 'not-run': 'did not run' }[probe.state];
  return [toLine(`Its test for ${probe.requirement ?? 'it'} ${end}: ${probe.shows}`)];
}

/**
 * Builds the prompt that asks a verifier to correct or withdraw its test, which did not run.
 * @param probes the glob patterns that the test's path has to match
 */
export function mendMessages(
  { goal, seed, requirements }: Pick<VerifyContext, 'goal' | 'seed' | 'requirements'>,
  probe: NonNullable<GivenVerdict['probe']>,
  probes: readonly string[],
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [],
    withoutFalse([
      formatMaterial(
        'Requirements:',
        'requirements',
        joinRows(requirements.map(({ id, text }) => `${id}: ${text}`)),
        seed,
      ),
      formatMaterial(
        `Your test ${toLine(probe.path)} for ${toLine(probe.requirement ?? '')}:`,
        'probe',
        probe.text,
        seed,
      ),
      formatMaterial('It did not run, so it shows nothing:', 'why', probe.why ?? '', seed),
      probe.output !== undefined &&
        formatMaterial('What was printed:', 'printed', probe.output, seed),
      `You are T5. Put it right, once: a file that can be loaded in this repository, imports only what is there, and whose test then passes or fails. probe: all of it again, with the requirement it speaks for (${requirements.map(({ id }) => id).join(', ')}), its path, which matches ${probes.join(' ')} and where nothing lies yet, its text and what it shows; null if you withdraw it.`,
    ]),
  );
}
