/**
 * Formats a plan for the question in which a person approves it, line by line, so that it reads the same in
 * the console, in plain text and on record. Lines contain no control characters; an empty line ends a
 * section.
 */
import type { Check, Survey } from '../../kernel/tools/workshop.ts';
import { toLine } from '../../text/line.ts';
import { formatTokens } from '../../text/numbers.ts';
import type { TierEstimate } from './estimate.ts';
import type { Forecast } from './forecast.ts';
import type { TeamPlan, Workstream } from './forms/plan.ts';
import type { RunEstimate } from './measured.ts';
import { attemptsAllowed } from './rules/failures.ts';
import { isTestedFirst } from './rules/plan.ts';

/** Something that is wrong with a plan, and what was changed for it. */
export interface PlanCorrection {
  readonly what: string;
  readonly change: string;
}

interface PlanTold {
  readonly survey?: Survey | undefined;
  /** What T1 found wrong with its previous plan. */
  readonly found?: readonly PlanCorrection[];
  /** What code changed in plans of T1. */
  readonly mended?: readonly PlanCorrection[];
  /** Which specialist plays which tier, a line each. */
  readonly cast?: readonly string[];
  /** Which requirements are doubtful in the plan that they come from, and why, a line each. */
  readonly doubts?: readonly string[];
  /** The likely cost, with and without each tier above the work. */
  readonly prices?: readonly TierEstimate[];
  /** The likely cost of the whole run; undefined before version 3 of the rules. */
  readonly forecast?: Forecast | undefined;
  /** What checks may use beside the committed files: folders, files and a set-up command, a line each. */
  readonly provided?: readonly string[];
  /**
   * The version of the run's rules. From version 3 on, acceptance tests are written first on every path.
   */
  readonly edition?: number;
  /** Guarded files that tasks would change; people are asked about them. */
  readonly held?: readonly { readonly task: string; readonly file: string }[];
}

/** The heading above those requirements of the plan that the spec (which the team carries out) calls doubtful. */
export const DOUBTS_HEADING = 'Doubtful in the spec that they come from';

/**
 * The heading above what the planning seat (T1) found wrong with its plan before the present one, usually the
 * first.
 */
export const FAULTS_HEADING = 'What T1 found wrong with its first plan';

/** The heading above what code changed in plans of the planning seat (T1). */
export const MENDED_HEADING = 'What code changed in T1’s plan';

/**
 * Formats a plan as lines for a person: requirements, workstreams, costs, checks, and everything else that
 * the person approves with the plan.
 */
export function planLines(
  plan: TeamPlan,
  {
    survey,
    found = [],
    mended = [],
    cast = [],
    doubts = [],
    provided = [],
    held = [],
    edition = 1,
    ...told
  }: PlanTold,
): string[] {
  const formatSection = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [title, ...rows.map((row) => `  ${toLine(row)}`), ''];
  const rows = [
    ...formatSection('Requirements, and how each is proved', requirementRows(plan)),
    ...formatSection(DOUBTS_HEADING, doubts),
    ...formatSection('Workstreams', workstreamRows(plan, edition)),
    ...formatSection('Existing tests that a task may change', changedTestRows(plan)),
    ...formatSection('What the tiers above the work are for', tierRows(plan)),
    ...formatSection('Who plays which tier', cast),
    ...formatSection('What it is likely to take', priceRows(told, edition)),
    ...formatSection('Checks: run as they stand here, without a shell', checkRows(plan, survey)),
    ...formatSection('Provided to the checks', provided),
    ...formatSection('Guarded: taken from the base, unless a task may change them', [
      ...(plan.guarded.length === 0 ? [] : [listSome(plan.guarded)]),
      ...held.map(({ task, file }) => `${task} would change ${file}`),
    ]),
    ...formatSection(
      'What the team does not see',
      survey === undefined ? [] : formatUnseenChanges(survey),
    ),
    ...formatSection(FAULTS_HEADING, formatFaults(found)),
    ...formatSection(MENDED_HEADING, formatFaults(mended)),
    ...formatSection('Questions for you', plan.questions),
  ];
  return rows.slice(0, -1);
}

/** Formats each requirement with its kind of proof, such as `R1 (test) The list has a flag.` */
export function requirementRows({ requirements }: TeamPlan): string[] {
  return requirements.map(({ id, text, proof }) => `${id} (${proof}) ${text}`);
}

/** Formats each existing test that a task of the plan may change, with T1's reason. */
export function changedTestRows({ workstreams }: TeamPlan): string[] {
  return workstreams.flatMap(({ task }) =>
    (task?.changes_tests ?? []).map(({ file, why }) => `${task?.id} may change ${file}: ${why}`),
  );
}

function workstreamRows({ requirements, workstreams }: TeamPlan, edition: number): string[] {
  const byTest = requirements.flatMap(({ id, proof }) => (proof === 'test' ? [id] : []));
  const isTested = (workstream: Workstream): boolean =>
    isTestedFirst(workstream, edition) &&
    (edition < 3 || workstream.covers.some((id) => byTest.includes(id)));
  return workstreams.map(
    ({ task, ...workstream }) =>
      `${workstream.id}, ${waysOf(workstream, isTested({ ...workstream, task }), edition)}: ${workstream.goal}${task === null ? '' : ` [${listSome(task.files)}]`}`,
  );
}

/** Said of a workstream none of whose requirements needs a test. */
const NO_TESTS_FIRST = 'no acceptance tests, since no test is to show any of it';

/**
 * Formats how a workstream is worked on, such as `T3-T5, after records, tests first, 5 attempts a task, for
 * R1, R2`.
 */
function waysOf(
  {
    path,
    depends_on,
    retry_multiplier,
    covers,
  }: Pick<Workstream, 'path' | 'depends_on' | 'retry_multiplier' | 'covers'>,
  isTested: boolean,
  edition: number,
): string {
  return [
    path,
    ...(depends_on.length === 0 ? [] : [`after ${depends_on.join(', ')}`]),
    ...(isTested ? ['tests first'] : edition < 5 ? [] : [NO_TESTS_FIRST]),
    `${attemptsAllowed(retry_multiplier)} attempts a task`,
    ...(covers.length === 0 ? [] : [`for ${covers.join(', ')}`]),
  ].join(', ');
}

/** Formats the plan's reasons for using the tiers T2 (design) and T3 (division into tasks), a line each. */
export function tierRows({ tiers }: TeamPlan): string[] {
  return tiers.map(({ tier, why }) => `${tier}: ${why}`);
}

/** Formats the likely cost of the whole run, then the cost with and without each tier. */
function priceRows(
  { prices = [], forecast }: Pick<PlanTold, 'prices' | 'forecast'>,
  edition: number,
): string[] {
  const rows = prices.map(
    (price) =>
      `${price.tier}: with it ${priceWords(price.with, edition)}; without it ${priceWords(price.without, edition)}`,
  );
  if (edition < 3 || forecast === undefined) return rows;
  const { likely, straight } = forecast;
  return [
    `In all about ${likely.calls} calls, ${formatTokens(likely.tokens)} tokens: ${straight.calls} and ${formatTokens(straight.tokens)} where nothing goes wrong, about twice these where a verifier sends all of the work back once. No run is held to it; --budget-tokens is a limit.`,
    ...rows,
  ];
}

/**
 * Formats a price, such as `12 calls, 41k tokens where nothing goes wrong`; up to version 2 of the rules
 * with the upper bound.
 */
function priceWords({ calls, tokens }: RunEstimate, edition: number): string {
  const likely = `${calls.low} calls, ${formatTokens(tokens.low)} tokens where nothing goes wrong`;
  return edition < 3 ? `${likely} (at most ${calls.high} calls)` : likely;
}

/**
 * Formats each check of a plan, such as `lint: in web, CI="1" ["npx","eslint","src"], 60 s at most`, followed
 * by a remark if T1 wrote the check, and by what the survey found about it.
 */
export function checkRows({ checks }: TeamPlan, survey?: Survey): string[] {
  return checks.map(({ id, argv, env, timeout_s, from_survey }) => {
    const folder = env.find(({ name }) => name === 'PWD');
    const place = folder === undefined ? '' : `in ${folder.value}, `;
    const set = env
      .filter((variable) => variable !== folder)
      .map(({ name, value }) => `${name}=${JSON.stringify(value)} `);
    const own = from_survey ? '' : ' (written by T1: the repository suggests no such check)';
    const notes = survey === undefined ? [] : checkNotes({ argv, env }, survey);
    return [
      `${id}: ${place}${set.join('')}${formatArgv(argv)}, ${timeout_s} s at most${own}`,
      ...notes,
    ].join('; ');
  });
}

/**
 * Returns what the survey found about a check: a missing program, its origin, and whether its tests can be
 * counted.
 */
function checkNotes(check: Pick<Check, 'argv' | 'env'>, { checks }: Survey): string[] {
  const toKey = ({ argv, env }: Pick<Check, 'argv' | 'env'>): string => JSON.stringify([argv, env]);
  const found = checks.find((surveyCheck) => toKey(surveyCheck) === toKey(check));
  return [
    ...(found?.missing === undefined
      ? []
      : [`${found.missing} is not installed here, so it cannot start`]),
    ...(found?.why.includes('continuous integration') === true ? [found.why] : []),
    ...(found?.runner === 'none' ? [UNCOUNTED] : []),
    // Old surveys do not say which program runs a check's tests (`runner`). For a check of an old survey, leave
    // out the remark about counting tests.
    ...(found?.runner === undefined && checks.some(({ runner }) => runner !== undefined)
      ? ['whether its tests can be counted shows when it first runs']
      : []),
  ];
}

/** Returns, without repetition, the programs that suggested checks need and that are not installed. */
export function findMissingPrograms({ checks }: Pick<Survey, 'checks'>): string[] {
  return [...new Set(checks.flatMap(({ missing }) => missing ?? []))];
}

/** The remark on a check whose tests cannot be counted from its output. */
export const UNCOUNTED = 'tests of this check cannot be counted; only its exit code is checked';

/**
 * Formats what is in the person's checkout but not in the commit that the work starts from, such as
 * uncommitted files.
 */
export function formatUnseenChanges(survey: Survey): string[] {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [survey.uncommitted, 'changed and not committed'],
    [survey.untracked, 'untracked'],
    [survey.ignored.map(({ path, bytes }) => `${path} (${sizeWords(bytes)})`), 'ignored by git'],
    [survey.submodules, 'submodules, not fetched'],
    [survey.lfs, 'in LFS, not fetched'],
    [survey.hooks, 'hooks, never run'],
  ];
  return rows.flatMap(([paths, why]) => (paths.length === 0 ? [] : [`${why}: ${listSome(paths)}`]));
}

/**
 * Formats what the planning seat found wrong with its plan: each fault, followed by the correction.
 */
export function formatFaults(found: readonly PlanCorrection[]): string[] {
  return found.map(({ what, change }) => `${what} ${change}`);
}

/**
 * Returns the changes that code made in any of the plans that were handed in, each once. The last plan alone
 * does not show all of them: T1 may take over a change of code from an earlier plan.
 */
export function collectMended(
  planned: readonly { readonly mended?: readonly PlanCorrection[] | undefined }[],
): PlanCorrection[] {
  const byText = new Map(
    planned
      .flatMap(({ mended = [] }) => mended)
      .map((fault) => [`${fault.what}\n${fault.change}`, fault]),
  );
  return [...byText.values()];
}

/** Formats a command as a JSON array, so that it is clear where each argument ends. */
export function formatArgv(argv: readonly string[]): string {
  return JSON.stringify(argv.map(toLine));
}

/**
 * Joins items as `a, b, c`. Up to `most` + 1 items are all named; of more, the first `most` are
 * named and the others are counted.
 */
export function listSome(items: readonly string[], most = 6): string {
  const shown = items.length > most + 1 ? items.slice(0, most) : items;
  const rest = items.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1_000)} kB`
    : `${Math.round(bytes / 1_000_000)} MB`;
}
