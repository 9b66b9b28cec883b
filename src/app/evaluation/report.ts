/** `deliberate eval report`: of what is on record; nobody is asked, and nothing is scored anew. */
import { join } from 'node:path';
import { headerOf } from '../../evaluation/header-of.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { EvaluationEnding, EvaluationPlan } from '../../evaluation/plan.ts';
import { inspectLogs, type SeatUsage } from '../../evaluation/report/inspect.ts';
import { htmlReport, markdownReport } from '../../evaluation/report/report.ts';
import { fileFor, writeNew } from '../../io/own-file.ts';
import { isCall } from '../../kernel/call.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { StoredEvaluation } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { line } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';

const ENDINGS = { md: 'md', html: 'html', json: 'jsonl' } as const;

/** @throws DeliberateError where it is not finished, or a model has changed on the way. */
export function writeReport(call: Invocation, store: Store, stored: StoredEvaluation): void {
  const { id, at, endedAt, log, ending } = stored;
  if (log === null || ending === null || endedAt === null)
    throw new DeliberateError(
      'unfinished',
      `evaluation ${shortId(id)} is not finished`,
      'Run the same command again; it asks only what is missing.',
    );
  const plan = JSON.parse(stored.plan) as EvaluationPlan;
  const header = headerOf(plan, JSON.parse(ending) as EvaluationEnding, {
    startedAt: at,
    endedAt,
  });
  const outcomes = log
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as Outcome);
  const format = formatOf(call);
  if (format === 'inspect') {
    const items = new Map(plan.items.map((item) => [item.id, item]));
    const seats = (one: Outcome): SeatUsage[] =>
      one.run === undefined ? [] : seatsOf(store.facts(one.run));
    writeLogs(call, shortId(id), inspectLogs(header, outcomes, { items, seats }));
    return;
  }
  const text =
    format === 'json' ? log : (format === 'html' ? htmlReport : markdownReport)(header, outcomes);
  const { to, yes } = call.flags;
  if (to === undefined || to === '-') {
    call.out.write(text);
    return;
  }
  const file = fileFor(to, `deliberate-eval-${shortId(id)}.${ENDINGS[format]}`);
  writeNew(file, text, yes);
  call.err.write(`${line(file)}\n`);
}

function formatOf({ flags }: Invocation): 'md' | 'html' | 'json' | 'inspect' {
  const { format = 'md' } = flags;
  if (format === 'markdown') return 'md';
  if (format === 'records' || format === 'otlp')
    throw new UsageError(`--format ${format} is for runs`, 'Use md, html, inspect or json.');
  return format;
}

/** A file an arm: whatever reads such logs reads a folder of them. */
function writeLogs(
  { flags, err }: Invocation,
  id: string,
  logs: readonly { readonly arm: string; readonly json: string }[],
): void {
  const folder = flags.to ?? `deliberate-eval-${id}`;
  if (folder === '-')
    throw new UsageError(
      '--format inspect writes a file for each arm',
      'Name a folder with --to DIR.',
    );
  for (const { arm, json } of logs) {
    const file = join(folder, `${arm.replace(/[^\w.-]+/g, '-')}.json`);
    writeNew(file, json, flags.yes);
    err.write(`${line(file)}\n`);
  }
}

/** What each seat took, without what a cache saved. */
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
