/**
 * A plan as a person reads it before they say yes, line by line: in the question itself, so that it reads
 * the same in the console, in plain text and on record. Each line is clean; a blank one ends a section.
 */
import type { Check, Survey } from '../../kernel/tools/workshop.ts';
import { line } from '../../text/line.ts';
import { formatTokens } from '../../text/numbers.ts';
import type { TierPrice } from './estimate.ts';
import type { Forecast } from './forecast.ts';
import type { TeamPlan, Workstream } from './forms/plan.ts';
import type { Price } from './measured.ts';
import { attemptsAllowed } from './rules/failures.ts';
import { isTestedFirst } from './rules/plan.ts';

interface PlanTold {
  readonly survey?: Survey | undefined;
  /** What T1 found wrong with the plan before. */
  readonly found?: readonly { readonly what: string; readonly change: string }[];
  /** Who plays which tier, in a line each. */
  readonly cast?: readonly string[];
  /** What it is likely to take, with and without each tier above the work. */
  readonly prices?: readonly TierPrice[];
  /** Of the whole plan, from version 3 on. */
  readonly forecast?: Forecast | undefined;
  /** Folders, files and a command that the checks are given beside what is committed. */
  readonly provided?: readonly string[];
  /** Of the run's rules: from 3 on tests come first on every path. */
  readonly edition?: number;
  /** Guarded files that tasks would change. */
  readonly held?: readonly { readonly task: string; readonly file: string }[];
}

export const FOUND = 'What T1 found wrong with its first plan';

export function planLines(
  plan: TeamPlan,
  { survey, found = [], cast = [], provided = [], held = [], edition = 1, ...told }: PlanTold,
): string[] {
  const headed = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [title, ...rows.map((row) => `  ${line(row)}`), ''];
  const rows = [
    ...headed('Requirements, and how each is proved', requirementRows(plan)),
    ...headed('Workstreams', workstreamRows(plan, edition)),
    ...headed('What the tiers above the work are for', tierRows(plan)),
    ...headed('Who plays which tier', cast),
    ...headed('What it is likely to take', priceRows(told, edition)),
    ...headed('Checks: run as they stand here, without a shell', checkRows(plan, survey)),
    ...headed('Provided to the checks', provided),
    ...headed('Guarded: taken from the base, unless a task may change them', [
      ...(plan.guarded.length === 0 ? [] : [someOf(plan.guarded)]),
      ...held.map(({ task, file }) => `${task} would change ${file}`),
    ]),
    ...headed('What the team does not see', survey === undefined ? [] : unseenRows(survey)),
    ...headed(FOUND, foundRows(found)),
    ...headed('Questions for you', plan.questions),
  ];
  return rows.slice(0, -1);
}

export function requirementRows({ requirements }: TeamPlan): string[] {
  return requirements.map(({ id, text, proof }) => `${id} (${proof}) ${text}`);
}

function workstreamRows({ requirements, workstreams }: TeamPlan, edition: number): string[] {
  const byTest = requirements.flatMap(({ id, proof }) => (proof === 'test' ? [id] : []));
  const isTested = (one: Workstream): boolean =>
    isTestedFirst(one, edition) && (edition < 3 || one.covers.some((id) => byTest.includes(id)));
  return workstreams.map(
    ({ task, ...one }) =>
      `${one.id}, ${waysOf(one, isTested({ ...one, task }), edition)}: ${one.goal}${task === null ? '' : ` [${someOf(task.files)}]`}`,
  );
}

/** What the plan's gate says of a workstream without requirements that a test proves. */
const NO_TESTS_FIRST = 'no acceptance tests, since no test is to show any of it';

/** `T3-T5, after records, tests first, 5 attempts a task, for R1, R2` */
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

export function tierRows({ tiers }: TeamPlan): string[] {
  return tiers.map(({ tier, why }) => `${tier}: ${why}`);
}

/** The whole run; then with each tier and without it: depth costs most where it is not needed. */
function priceRows(
  { prices = [], forecast }: Pick<PlanTold, 'prices' | 'forecast'>,
  edition: number,
): string[] {
  const rows = prices.map(
    (one) =>
      `${one.tier}: with it ${priceWords(one.with, edition)}; without it ${priceWords(one.without, edition)}`,
  );
  if (edition < 3 || forecast === undefined) return rows;
  const { likely, straight } = forecast;
  return [
    `In all about ${likely.calls} calls, ${formatTokens(likely.tokens)} tokens: ${straight.calls} and ${formatTokens(straight.tokens)} where nothing goes wrong, about twice these where a verifier sends all of the work back once. No run is held to it; --budget-tokens is a limit.`,
    ...rows,
  ];
}

/** `12 calls, 41k tokens where nothing goes wrong`; up to version 2 with the bound beside it. */
function priceWords({ calls, tokens }: Price, edition: number): string {
  const likely = `${calls.low} calls, ${formatTokens(tokens.low)} tokens where nothing goes wrong`;
  return edition < 3 ? `${likely} (at most ${calls.high} calls)` : likely;
}

/** `lint: in web, CI="1" ["npx","eslint","src"], 60 s at most (written by T1)`, and what is to be known of it. */
export function checkRows({ checks }: TeamPlan, survey?: Survey): string[] {
  return checks.map(({ id, argv, env, timeout_s, from_survey }) => {
    const folder = env.find(({ name }) => name === 'PWD');
    const place = folder === undefined ? '' : `in ${folder.value}, `;
    const set = env
      .filter((one) => one !== folder)
      .map(({ name, value }) => `${name}=${JSON.stringify(value)} `);
    const own = from_survey ? '' : ' (written by T1: the repository suggests no such check)';
    const notes = survey === undefined ? [] : checkNotes({ argv, env }, survey);
    return [
      `${id}: ${place}${set.join('')}${argvWords(argv)}, ${timeout_s} s at most${own}`,
      ...notes,
    ].join('; ');
  });
}

/** What the survey found of a check: whether it can start, whether its tests are counted, where it is from. */
function checkNotes(check: Pick<Check, 'argv' | 'env'>, { checks }: Survey): string[] {
  const same = ({ argv, env }: Pick<Check, 'argv' | 'env'>): string => JSON.stringify([argv, env]);
  const found = checks.find((one) => same(one) === same(check));
  return [
    ...(found?.missing === undefined
      ? []
      : [`${found.missing} is not installed here, so it cannot start`]),
    ...(found?.why.includes('continuous integration') === true ? [found.why] : []),
    ...(found?.runner === 'none' ? [UNCOUNTED] : []),
    // A survey from before runners were known says nothing of them.
    ...(found?.runner === undefined && checks.some(({ runner }) => runner !== undefined)
      ? ['whether its tests can be counted shows when it first runs']
      : []),
  ];
}

/** Programs that suggested checks need and that are not there. */
export function missingOf({ checks }: Pick<Survey, 'checks'>): string[] {
  return [...new Set(checks.flatMap(({ missing }) => missing ?? []))];
}

/** Of a check whose output has no summary that is known. */
export const UNCOUNTED = 'tests of this check cannot be counted; only its exit code is checked';

/** Of the checkout, and not in the commit that the work starts from. */
export function unseenRows(survey: Survey): string[] {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [survey.uncommitted, 'changed and not committed'],
    [survey.untracked, 'untracked'],
    [survey.ignored.map(({ path, bytes }) => `${path} (${sizeWords(bytes)})`), 'ignored by git'],
    [survey.submodules, 'submodules, not fetched'],
    [survey.lfs, 'in LFS, not fetched'],
    [survey.hooks, 'hooks, never run'],
  ];
  return rows.flatMap(([paths, why]) => (paths.length === 0 ? [] : [`${why}: ${someOf(paths)}`]));
}

export function foundRows(
  found: readonly { readonly what: string; readonly change: string }[],
): string[] {
  return found.map(({ what, change }) => `${what} ${change}`);
}

/** A command as it is run: its arguments, each told apart from the next. */
export function argvWords(argv: readonly string[]): string {
  return JSON.stringify(argv.map(line));
}

/** `a, b, c`; beyond a few, how many more. */
export function someOf(items: readonly string[], most = 6): string {
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
