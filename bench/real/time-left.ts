/**
 * Measures how far the time left that the program shows is off: replays the recorded calls of finished runs,
 * and compares what would have been shown after each call with the time that the run still took.
 *
 * Usage: `node bench/real/time-left.ts DATABASE…`; without arguments, all databases in the cache.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type CallsLeft, estimateTimeLeft } from '../../src/kernel/attempt/time-left.ts';
import { isCall } from '../../src/kernel/call.ts';
import { EMPTY_VIEW, foldRun, type RunView } from '../../src/kernel/view.ts';
import { countCallsLeft as countOfBoard } from '../../src/protocols/board/estimate.ts';
import { countCallsLeft as countOfDebate } from '../../src/protocols/debate/estimate.ts';
import { countCallsLeft as countOfPlan } from '../../src/protocols/plan/estimate.ts';
import { countCallsLeft as countOfRounds } from '../../src/protocols/rounds/estimate.ts';
import { formatTimeLeft } from '../../src/text/numbers.ts';
import type { Fact } from '../../test/every-fact.ts';
import { CACHE } from './cache.ts';
import { queryRows } from './table/session.ts';

/** How the calls that are left are counted, by protocol. */
const COUNTS: Readonly<Record<string, (view: RunView) => CallsLeft | undefined>> = {
  board: countOfBoard,
  debate: countOfDebate,
  rounds: countOfRounds,
  plan: countOfPlan,
};
/** Runs that took less are left out: nothing below a minute is shown. */
const SHORTEST_MS = 90_000;
/** Estimates within this factor of the truth hold. */
const FACTOR = 1.5;
/** The shares of a run's time at which single estimates are told. */
const AT = [0.25, 0.5, 0.75];

/** What was shown after a call, and what was right. Times are in milliseconds. */
interface Shown {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly left: number;
  readonly words: string;
}

interface Row {
  readonly run_id: string;
  readonly protocol: string;
  readonly seq: number;
  readonly at: string;
  readonly body: string;
}

/** Returns what the program would have shown after each call of an attempt that ended by itself. */
function replayFacts(
  facts: readonly Fact[],
  count: (view: RunView) => CallsLeft | undefined,
): Shown[] {
  const began = Date.parse(facts[0]?.at ?? '');
  const end = facts.findIndex(({ type }) => type === 'run.ended');
  const over = Date.parse(facts[end]?.at ?? '');
  if (!(over - began >= SHORTEST_MS)) return [];
  let view: RunView = EMPTY_VIEW;
  const shown: Shown[] = [];
  let isDue = false;
  for (const fact of facts.slice(0, end)) {
    view = foldRun(view, fact);
    const now = Date.parse(fact.at);
    // Like the console, estimate after each call how much time the run still needs. If no estimate is possible,
    // try again when the next call begins.
    if (isCall(fact)) isDue = true;
    const isBegun = fact.type === 'step.started' && 'kind' in fact && fact.kind === 'call';
    if (!isDue || !(isBegun || isCall(fact))) continue;
    const calls = count(view);
    const span = calls && estimateTimeLeft(view, calls, now);
    const words = span && formatTimeLeft(span.low, span.high);
    if (span === undefined) continue;
    isDue = false;
    const share = (now - began) / (over - began);
    shown.push({ share, ...span, left: over - now, words: words ?? '' });
  }
  return shown;
}

/**
 * Returns how many times too high (above 1) or too low (below 1) an estimate is; 1 if the truth lies within it. What
 * is shown in minutes is compared as it is shown, because nobody sees more.
 */
function factorOf({ low, high, left, words }: Shown): number {
  const from = Math.min(low, high);
  if (words.startsWith('At least')) return left >= from * 0.9 ? 1 : from / left;
  const [least, most] = [Math.floor(from / 60_000) * 60_000, Math.ceil(high / 60_000) * 60_000];
  if (left >= least && left <= most) return 1;
  return left > most ? most / left : least / left;
}

const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync(join(CACHE, 'runs/**/runs.db')).filter((file) => !/chain/.test(file));
const all: { protocol: string; shown: Shown }[] = [];
let runs = 0;
for (const file of files) {
  const rows = queryRows(
    file,
    'SELECT run_id, run.protocol, seq, at, body FROM fact JOIN run ON run.id = run_id ORDER BY run_id, seq',
  ) as Row[];
  for (const [run, own] of Map.groupBy(rows, ({ run_id }) => run_id)) {
    const protocol = own[0]?.protocol ?? '';
    const count = Object.hasOwn(COUNTS, protocol) ? COUNTS[protocol] : undefined;
    if (count === undefined) continue;
    const facts = own.map(
      ({ run_id, seq, at, body }) => ({ ...JSON.parse(body), run: run_id, seq, at }) as Fact,
    );
    let shown: Shown[];
    try {
      shown = replayFacts(facts, count);
    } catch (error) {
      console.log(`${file} ${run}: ${String(error)}`);
      continue;
    }
    if (shown.length === 0) continue;
    runs += 1;
    if (process.env.EACH !== undefined)
      for (const estimate of shown)
        console.log(
          `${protocol} ${run.slice(0, 13)} ${Math.round(estimate.share * 100)} %: ${estimate.words || 'nothing'}; ${Math.round(estimate.low / 1000)}–${Math.round(estimate.high / 1000)} s, right ${Math.round(estimate.left / 1000)} s`,
        );
    all.push(...shown.map((estimate) => ({ protocol, shown: estimate })));
  }
}
const printEstimates = (list: readonly { shown: Shown }[], title: string): void => {
  const visible = list.filter(({ shown }) => shown.words !== '');
  const off = visible
    .map(({ shown }) => factorOf(shown))
    .map((factor) => Math.max(factor, 1 / factor));
  const sorted = off.toSorted((one, other) => one - other);
  const formatQuantile = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 1).toFixed(2);
  const good = off.filter((factor) => factor <= FACTOR).length;
  const least = visible.filter(({ shown }) => shown.words.startsWith('At least')).length;
  console.log(
    `${title}: ${list.length} estimates, ${visible.length} shown (${least} "at least"), ${good} of them within a factor of ${FACTOR} (${Math.round((100 * good) / Math.max(1, visible.length))} %); median ${formatQuantile(0.5)}, 90 % ${formatQuantile(0.9)}`,
  );
};
console.log(`${runs} runs`);
for (const protocol of Object.keys(COUNTS))
  printEstimates(
    all.filter((entry) => entry.protocol === protocol),
    protocol,
  );
for (const share of AT)
  printEstimates(
    all.filter(({ shown }) => Math.abs(shown.share - share) < 0.125),
    `about ${share * 100} % of the run`,
  );
printEstimates(all, 'all');
