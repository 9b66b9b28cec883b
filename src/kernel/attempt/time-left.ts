/**
 * Estimates how long a running attempt still takes, from the calls that are left, by kind, and from how long the
 * calls of each kind have taken so far. The functions are pure: the present time is an argument.
 */
import type { Span } from '../estimate.ts';
import type { CallView, RunView } from '../view.ts';

/** The calls of one kind that an attempt still makes. */
export interface KindLeft {
  readonly kind: string;
  /** How many calls are left, including running ones. A `high` of infinity: no upper bound is known. */
  readonly calls: Span;
  /**
   * Whether the calls are made one after the other, when all other kinds are done. Absent: they are made
   * side by side.
   */
  readonly inTurn?: boolean;
}

/** The calls that an attempt still makes. */
export interface CallsLeft {
  readonly kinds: readonly KindLeft[];
  /** Returns the kind of the call that a step makes, by the step's key. Absent: all calls are of the kind ''. */
  readonly kindOf?: (step: string) => string;
  /**
   * Returns the length of a call of a kind compared with calls of other kinds, at least and at most. The
   * lengths serve to estimate kinds of which no call has ended yet. Absent: all calls have the length 1.
   */
  readonly weightOf?: (kind: string) => Span;
}

/** Calls that must have ended before their time counts as a measure. */
const MIN_ENDED = 2;
/** By how much a measured time may be off in either direction, if a single call of the kind was measured. */
const SPREAD = 0.3;
const SAME: Span = { low: 1, high: 1 };

/** The measured calls of one kind. Times are in milliseconds. */
interface Measure {
  readonly count: number;
  /** How long they kept the attempt waiting. */
  readonly busyMs: number;
  readonly latencyMs: number;
}

/**
 * Estimates the milliseconds until the attempt ends, at least and at most, from the times of the calls that
 * have ended in this attempt. `high` is infinite if no upper bound is known. Returns undefined until two calls
 * have ended that were not stopped and did not fail without any text. Also returns undefined while no call is
 * running, since the run then waits for a person or a program.
 *
 * @param left the calls that are still to be finished
 * @param now the present time in milliseconds since 1970
 */
export function estimateTimeLeft(view: RunView, left: CallsLeft, now: number): Span | undefined {
  const calls = Object.values(view.calls).filter((call) => isOfAttempt(call, view));
  // Leave out stopped calls, and calls that failed before any text arrived, such as a prompt that did not fit the
  // window: they say nothing about how long an answer takes.
  const ended = calls.filter(
    ({ state, latencyMs, text, thinking }) =>
      state === 'done' || (state === 'failed' && latencyMs > 0 && text + thinking !== ''),
  );
  if (ended.length < MIN_ENDED || !calls.some(({ state }) => state === 'running')) return undefined;
  const { kindOf = () => '', weightOf = () => SAME } = left;
  const { measures, lastEnd } = measureCalls(ended, kindOf);
  const busyMs = [...measures.values()].reduce((sum, measure) => sum + measure.busyMs, 0);
  const latencyMs = ended.reduce((sum, call) => sum + call.latencyMs, 0);
  const units = ended.reduce((sum, { step }) => sum + middleOf(weightOf(kindOf(step))), 0);
  const isAlone = isOneAtATime(ended);
  const perCall = ({ kind, inTurn = false }: KindLeft): Span => {
    const isWhole = inTurn && !isAlone;
    const own = measures.get(kind);
    if (own === undefined) {
      const unit = (isWhole ? latencyMs : busyMs) / units;
      const { low, high } = weightOf(kind);
      return { low: low * unit, high: high * unit };
    }
    const mean = (isWhole ? own.latencyMs : own.busyMs) / own.count;
    const spread = SPREAD / Math.sqrt(own.count);
    return { low: mean * (1 - spread), high: mean * (1 + spread) };
  };
  // `left` counts running calls in full. So subtract the time since the last call ended (`spent`), but at most
  // the mean time of one call.
  const meanBusyMs = busyMs / ended.length;
  const spent = Math.min(Math.max(0, now - lastEnd), meanBusyMs);
  const estimateTotal = (endOf: (span: Span) => number): number =>
    left.kinds.reduce((sum, kind) => {
      const count = endOf(kind.calls);
      return count === 0 ? sum : sum + count * endOf(perCall(kind));
    }, 0);
  return {
    low: Math.max(0, estimateTotal(({ low }) => low) - spent),
    high: Math.max(0, estimateTotal(({ high }) => high) - spent),
  };
}

function middleOf({ low, high }: Span): number {
  return (low + high) / 2;
}

/**
 * Returns how long the calls of each kind kept the attempt waiting, and when the last one ended. A call keeps
 * it waiting from when it began, or from when the one before ended, until it ends.
 */
function measureCalls(
  calls: readonly CallView[],
  kindOf: (step: string) => string,
): { measures: ReadonlyMap<string, Measure>; lastEnd: number } {
  const measures = new Map<string, Measure>();
  let lastEnd = 0;
  const inOrder = calls
    .map((call) => ({ call, from: Date.parse(call.startedAt), to: endOf(call) }))
    .toSorted((span, other) => span.to - other.to);
  for (const { call, from, to } of inOrder) {
    const kind = kindOf(call.step);
    const { count, busyMs, latencyMs } = measures.get(kind) ?? NOTHING;
    measures.set(kind, {
      count: count + 1,
      busyMs: busyMs + Math.max(0, to - Math.max(from, lastEnd)),
      latencyMs: latencyMs + call.latencyMs,
    });
    lastEnd = Math.max(lastEnd, to);
  }
  return { measures, lastEnd };
}

const NOTHING: Measure = { count: 0, busyMs: 0, latencyMs: 0 };

function endOf({ startedAt, endedAt = startedAt }: CallView): number {
  return Date.parse(endedAt);
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
    .toSorted(([from], [other]) => from - other);
  return speaking.every(([from], index) => from >= (speaking[index - 1]?.[1] ?? 0));
}

/** Returns whether a call was made in the present attempt, and was not copied from a parent run. */
export function isOfAttempt({ inherited, startedAt }: CallView, { attemptAt }: RunView): boolean {
  return inherited !== true && Date.parse(startedAt) >= Date.parse(attemptAt);
}

/**
 * Returns how many of the planned calls have not ended yet, at least and at most, as one kind of calls. The
 * lower number is never below the number of running calls. Once the upper estimate of `planned` is used up by
 * ended calls, the plan says nothing any more, and the result is undefined.
 *
 * @param planned the number of calls of the whole run, as estimated before it began
 */
export function countLeft(planned: Span, view: RunView): CallsLeft | undefined {
  // Count the calls of earlier attempts too, since `planned` is the number for the whole run.
  const calls = Object.values(view.calls);
  const running = calls.filter(({ state }) => state === 'running').length;
  const ended = calls.length - running;
  if (ended >= planned.high) return undefined;
  const left = { low: Math.max(running, planned.low - ended), high: planned.high - ended };
  return { kinds: [{ kind: '', calls: left }] };
}
