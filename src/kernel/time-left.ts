/**
 * Estimates how long a running attempt still takes, from the calls that are left and from how long the attempt's
 * calls have taken so far. Calls differ in length, so an estimate is a span, and there is none before two calls
 * have ended.
 */
import type { Span } from './estimate.ts';
import type { CallView, RunView } from './view.ts';

/**
 * The calls that an attempt still makes, including those that are running. They are counted in units of length: 1 for
 * a call, or what `weightOf` says. A `high` of infinity means that no upper bound is known.
 */
export interface CallsLeft {
  /** Calls that are made side by side, as those before. */
  readonly calls: Span;
  /** Calls after them that wait for one another. */
  readonly inTurn: number;
  /** Returns how long the call of a step is, compared with others of the run. Absent: all have the length 1. */
  readonly weightOf?: (step: string) => number;
}

/** Calls that must have ended before their time counts as a measure. */
const MIN_ENDED = 2;

/**
 * Returns the milliseconds that the attempt still takes, at least and at most; `high` is infinity if no upper
 * bound is known. Returns undefined before there is a measure, and while no call is running, because nobody
 * knows how long a person or a program takes.
 *
 * @param left the calls that are left
 * @param now the present time in milliseconds since 1970
 */
export function estimateTimeLeft(view: RunView, left: CallsLeft, now: number): Span | undefined {
  const calls = Object.values(view.calls).filter((call) => isOfAttempt(call, view));
  // A call that failed before anything was said, such as one that did not fit the window, took no time.
  const ended = calls.filter(
    ({ state, latencyMs, text, thinking }) =>
      state === 'done' || (state === 'failed' && latencyMs > 0 && text + thinking !== ''),
  );
  if (ended.length < MIN_ENDED || !calls.some(({ state }) => state === 'running')) return undefined;
  const { weightOf = () => 1 } = left;
  const { busyMs, lastEnd } = measureBusy(ended);
  const units = ended.reduce((sum, { step }) => sum + weightOf(step), 0);
  const perUnit = busyMs / units;
  const latency = ended.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
  const inTurn = left.inTurn * (isOneAtATime(ended) ? perUnit : latency / units);
  // The calls that are running have been at work since the last one ended.
  const spent = Math.min(Math.max(0, now - lastEnd), busyMs / ended.length);
  const total = (count: number): number => Math.max(0, count * perUnit + inTurn - spent);
  return { low: total(left.calls.low), high: total(left.calls.high) };
}

/** Returns the milliseconds during which at least one of the calls was running, and when the last one ended. */
function measureBusy(calls: readonly CallView[]): { busyMs: number; lastEnd: number } {
  let busyMs = 0;
  let lastEnd = 0;
  for (const [from, to] of calls.map(spanOf).toSorted(([one], [other]) => one - other)) {
    busyMs += Math.max(0, to - Math.max(from, lastEnd));
    lastEnd = Math.max(lastEnd, to);
  }
  return { busyMs, lastEnd };
}

function spanOf({ startedAt, endedAt = startedAt }: CallView): readonly [from: number, to: number] {
  return [Date.parse(startedAt), Date.parse(endedAt)];
}

/**
 * Returns whether no two answers arrived at the same time, as at a server that answers one request at a time.
 * Only calls whose first text has a time can tell.
 */
function isOneAtATime(calls: readonly CallView[]): boolean {
  const speaking = calls
    .flatMap(({ attempts, endedAt, latencyMs, firstTokenMs }) =>
      attempts === 1 && endedAt !== undefined && firstTokenMs !== undefined
        ? [[Date.parse(endedAt) - latencyMs + firstTokenMs, Date.parse(endedAt)] as const]
        : [],
    )
    .toSorted(([one], [other]) => one - other);
  return speaking.every(([from], index) => from >= (speaking[index - 1]?.[1] ?? 0));
}

/** Returns whether a call was made in the present attempt, and was not copied from a parent run. */
export function isOfAttempt({ inherited, startedAt }: CallView, { attemptAt }: RunView): boolean {
  return inherited !== true && Date.parse(startedAt) >= Date.parse(attemptAt);
}

/**
 * Returns the calls that are left of a planned number, or undefined if more calls than planned have been made.
 * If the plan's least is used up, the calls that are running are left at least.
 *
 * @param planned the calls of the whole attempt, as estimated before it began
 */
export function leftOf(planned: Span, view: RunView): CallsLeft | undefined {
  // A resumed run also has the calls of its earlier attempts, which count as made.
  const calls = Object.values(view.calls);
  const running = calls.filter(({ state }) => state === 'running').length;
  const ended = calls.length - running;
  if (ended >= planned.high) return undefined;
  return {
    calls: { low: Math.max(running, planned.low - ended), high: planned.high - ended },
    inTurn: 0,
  };
}
