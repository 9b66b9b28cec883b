/** `deliberate eval report`: formats the recorded result of an evaluation. Nothing is asked or scored again. */
import { join } from 'node:path';
import type { Header } from '../../evaluation/header.ts';
import { headerOf } from '../../evaluation/header-of.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { EvaluationEnding, EvaluationPlan } from '../../evaluation/plan.ts';
import { inspectLogs, type SeatUsage } from '../../evaluation/report/inspect.ts';
import { htmlReport, markdownReport } from '../../evaluation/report/report.ts';
import { filePathFor, writeNew } from '../../io/own-file.ts';
import { isCall } from '../../kernel/call.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { StoredEvaluation } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';
import { factsOfCell } from './cells.ts';

const ENDINGS = { md: 'md', html: 'html', json: 'jsonl' } as const;

/** Everything that the report of an evaluation is made from. */
export interface ReportInput {
  readonly id: string;
  readonly plan: EvaluationPlan;
  readonly ending: EvaluationEnding;
  readonly header: Header;
  readonly outcomes: readonly Outcome[];
  /** The outcomes of all answers, as JSON Lines. */
  readonly log: string;
}

/**
 * Reads a stored evaluation for its report.
 *
 * @throws DeliberateError if the evaluation is not finished
 */
export function readReport({ id, at, endedAt, log, ...stored }: StoredEvaluation): ReportInput {
  if (log === null || stored.ending === null || endedAt === null)
    throw new DeliberateError(
      'unfinished',
      `evaluation ${shortId(id)} is not finished`,
      'Run the same command again; it asks only what is missing.',
    );
  const plan = JSON.parse(stored.plan) as EvaluationPlan;
  const ending = JSON.parse(stored.ending) as EvaluationEnding;
  const header = headerOf(plan, ending, { startedAt: at, endedAt });
  const outcomes = log
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as Outcome);
  return { id, plan, ending, header, outcomes, log };
}

/**
 * Formats the report of an evaluation. In the format `json`, returns the outcomes of all answers as JSON Lines.
 *
 * @throws DeliberateError if a model changed during the evaluation
 */
export function formatEvaluationReport(
  format: 'md' | 'html' | 'json',
  { header, outcomes, log }: ReportInput,
): string {
  if (format === 'json') return log;
  return (format === 'html' ? htmlReport : markdownReport)(header, outcomes);
}

/**
 * Writes the report of an evaluation to standard output or to the file that the flags name. With
 * `--format inspect`, writes a log for each arm into a folder.
 *
 * @throws DeliberateError if the evaluation is not finished, or a model changed during it; UsageError if the
 *   format is not one of evaluations, or a file cannot be written or must not be replaced
 */
export function writeReport(call: Invocation, store: Store, stored: StoredEvaluation): void {
  const reported = readReport(stored);
  const format = formatOf(call);
  if (format === 'inspect') {
    const { to = inspectFolder(reported), yes } = call.flags;
    if (to === '-')
      throw new UsageError(
        '--format inspect writes a file for each arm',
        'Name a folder with --to DIR.',
      );
    for (const file of writeLogs(store, reported, to, yes)) call.err.write(`${toLine(file)}\n`);
    return;
  }
  const text = formatEvaluationReport(format, reported);
  const { to, yes } = call.flags;
  if (to === undefined || to === '-') {
    call.out.write(text);
    return;
  }
  const file = filePathFor(to, `deliberate-eval-${shortId(reported.id)}.${ENDINGS[format]}`);
  writeNew(file, text, yes);
  call.err.write(`${toLine(file)}\n`);
}

function formatOf({ flags }: Invocation): 'md' | 'html' | 'json' | 'inspect' {
  const { format = 'md' } = flags;
  if (format === 'markdown') return 'md';
  if (format !== 'md' && format !== 'html' && format !== 'json' && format !== 'inspect')
    throw new UsageError(`--format ${format} is for runs`, 'Use md, html, inspect or json.');
  return format;
}

/** Returns the default folder for log files in the format of the tool Inspect. */
export function inspectFolder({ id }: Pick<ReportInput, 'id'>): string {
  return `deliberate-eval-${shortId(id)}`;
}

/**
 * Writes the logs of an evaluation in the format of the tool Inspect, one file for each arm.
 *
 * @param folder the folder for the files
 * @param yes whether files may be replaced
 * @returns the paths of the files
 * @throws UsageError if a file cannot be written or must not be replaced
 */
export function writeLogs(
  store: Store,
  { plan, header, outcomes }: ReportInput,
  folder: string,
  yes: boolean,
): string[] {
  const items = new Map(plan.items.map((item) => [item.id, item]));
  const getSeats = (outcome: Outcome): SeatUsage[] =>
    outcome.run === undefined ? [] : seatsOf(factsOfCell(store, outcome.run));
  return inspectLogs(header, outcomes, { items, seats: getSeats }).map(({ arm, json }) => {
    const file = join(folder, `${arm.replace(/[^\w.-]+/g, '-')}.json`);
    writeNew(file, json, yes);
    return file;
  });
}

/** Returns what each seat took, counting cached tokens like others. */
function seatsOf(facts: readonly AnyFact[]): SeatUsage[] {
  const seats = new Map<string, SeatUsage>();
  for (const { seat, model, usage } of facts.filter(isCall)) {
    const key = `${seat} ${model}`;
    const { inputTokens = 0, outputTokens = 0 } = seats.get(key) ?? {};
    seats.set(key, {
      seat,
      model,
      inputTokens: inputTokens + usage.input,
      outputTokens: outputTokens + usage.output,
    });
  }
  return [...seats.values()];
}
