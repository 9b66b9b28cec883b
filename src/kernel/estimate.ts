/**
 * Estimates a run before its first call: calls, tokens, dollars, and how much of each model's context
 * window its longest prompt fills; and how long a running attempt still takes, from the calls that are left and
 * from how long its calls have taken so far. The functions are pure: prices, windows and times are arguments.
 */
import type { ModelSpec, Usage } from './model.ts';
import { NO_USAGE } from './model.ts';
import { estimateTokens } from './tokens.ts';
import type { CallView, RunView } from './view.ts';

/** A lower and an upper estimate of the same number. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The estimated calls of one seat, with their tokens. */
export interface PlannedCalls {
  /** The seat's id. */
  readonly seat: string;
  /** The seat's display name. */
  readonly title: string;
  readonly model: ModelSpec;
  /** The number of calls. */
  readonly calls: Span;
  /** The input tokens of all calls together. */
  readonly input: Span;
  /** The output tokens of all calls together. */
  readonly output: Span;
  /** The upper estimate, in tokens, of the seat's longest prompt. */
  readonly largest: number;
  /**
   * The lower estimate, in tokens, of the seat's longest prompt. Only prompts that the run sends in
   * any case are considered.
   */
  readonly needed: number;
}

/** The planned calls of a seat with their cost and the model's window. */
export interface SeatEstimate extends PlannedCalls {
  /**
   * The cost in US dollars; absent if no price is known. Savings by a prompt cache are not
   * subtracted.
   */
  readonly usd?: Span | undefined;
  /** The context window in tokens; absent if unknown. */
  readonly window?: number | undefined;
}

/** The estimate of a whole run: the estimate of each seat, and the sums. */
export interface RunEstimate {
  readonly seats: readonly SeatEstimate[];
  readonly calls: Span;
  readonly input: Span;
  readonly output: Span;
  /** The cost in US dollars of the models whose price is known. */
  readonly usd: Span;
  /** Models without a known price, each once. */
  readonly unpriced: readonly ModelSpec[];
  /** Whether any call of the run may cost money. */
  readonly paid: boolean;
}

/** Prices and context windows of models. */
export interface Rates {
  /** Returns the cost in US dollars of one call with this usage; undefined if no price is known. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** Returns the context window in tokens; undefined if unknown. */
  window(model: ModelSpec): number | undefined;
  /**
   * Returns the tokens that a coding agent or server adds to every prompt, see `Models.ownPrompt`.
   */
  ownPrompt?(model: ModelSpec): number;
}

/** Adds cost and windows to the planned calls of each seat, and sums them. */
export function estimateRun(planned: readonly PlannedCalls[], rates: Rates): RunEstimate {
  const seats = planned
    .map((one) => withOwnPrompt(one, rates.ownPrompt?.(one.model) ?? 0))
    .map((one) => ({ ...one, usd: usdOf(one, rates), window: rates.window(one.model) }));
  return {
    seats,
    calls: sumSpans(seats.map(({ calls }) => calls)),
    input: sumSpans(seats.map(({ input }) => input)),
    output: sumSpans(seats.map(({ output }) => output)),
    usd: sumSpans(seats.flatMap(({ usd }) => usd ?? [])),
    unpriced: [...new Set(seats.flatMap(({ model, usd }) => (usd === undefined ? [model] : [])))],
    paid: seats.some(({ usd }) => usd === undefined || usd.high > 0),
  };
}

/** Adds the tokens that the provider or agent itself adds to each prompt. */
function withOwnPrompt(planned: PlannedCalls, tokens: number): PlannedCalls {
  if (tokens === 0) return planned;
  const added = multiplySpans(planned.calls, { low: tokens, high: tokens });
  return {
    ...planned,
    input: sumSpans([planned.input, added]),
    largest: planned.largest + tokens,
  };
}

/**
 * The output tokens of an answer that is asked to stay below 450 words. The built-in stand-in for
 * models needs 260 to 330; models were measured at 400 to 600, and thinking counts as output too.
 */
export const ANSWER_TOKENS: Span = { low: 250, high: 1_200 };
/** The factor by which line numbers lengthen an attachment. */
const NUMBERED = 1.2;

/**
 * A number of calls whose prompts and answers have about the same length. `prompt` and `answer` are
 * tokens per call.
 */
export interface CallGroup {
  /** The number of calls in the group. */
  readonly calls: Span;
  /** Input tokens per call. */
  readonly prompt: Span;
  /** Output tokens per call. */
  readonly answer: Span;
}

/**
 * Adds up the groups of calls that a seat is going to make (`asked`). `title` is the seat's display name.
 */
export function planCalls(
  seat: string,
  title: string,
  model: ModelSpec,
  asked: readonly CallGroup[],
): PlannedCalls {
  return {
    seat,
    title,
    model,
    calls: sumSpans(asked.map(({ calls }) => calls)),
    input: sumSpans(asked.map(({ calls, prompt }) => multiplySpans(calls, prompt))),
    output: sumSpans(asked.map(({ calls, answer }) => multiplySpans(calls, answer))),
    largest: Math.max(0, ...asked.map(({ prompt }) => prompt.high)),
    needed: Math.max(0, ...asked.map(({ calls, prompt }) => (calls.low > 0 ? prompt.low : 0))),
  };
}

/** Estimates the tokens of the given attachments, which prompts quote with line numbers. */
export function countAttached(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0) * NUMBERED);
}

/**
 * Estimates the cost of a seat's calls at the average prompt length, as the price may depend on the length.
 */
function usdOf({ model, calls, input, output }: PlannedCalls, rates: Rates): Span | undefined {
  const usd = (end: keyof Span): number | undefined => {
    const count = Math.max(1, calls[end]);
    const usage = { ...NO_USAGE, input: input[end] / count, output: output[end] / count };
    const each = rates.price(model, usage);
    return each === undefined ? undefined : each * count;
  };
  const low = usd('low');
  const high = usd('high');
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** The span of exactly one call. */
export const ONCE: Span = { low: 1, high: 1 };

/** Returns the span whose ends are both `value`. */
export function fixedSpan(value: number): Span {
  return { low: value, high: value };
}

/** Multiplies two spans: low by low and high by high. */
export function multiplySpans(one: Span, other: Span): Span {
  return { low: one.low * other.low, high: one.high * other.high };
}

/** Returns the sum of spans: of their lower ends and of their upper ends. */
export function sumSpans(spans: readonly Span[]): Span {
  return spans.reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    fixedSpan(0),
  );
}

/**
 * The calls that an attempt has still to finish, the running ones included. A call counts as 1, or as the
 * number that `weightOf` returns for its step. If `high` is infinite, no upper bound is known.
 */
export interface CallsLeft {
  /** The calls that run in parallel. */
  readonly calls: Span;
  /** The calls that follow one after the other, once the parallel calls have ended. */
  readonly inTurn: number;
  /** Returns how long a step's call takes, compared with a call of weight 1. Absent: every call has weight 1. */
  readonly weightOf?: (step: string) => number;
}

/** Calls that must have ended before their time counts as a measure. */
const MIN_ENDED = 2;

/**
 * Estimates the milliseconds until the attempt ends, at least and at most, from the times of its earlier
 * calls. `high` is infinite if no upper bound is known. Returns undefined until two calls have ended. Also
 * returns undefined while no call is running, since the run then waits for a person or a program.
 *
 * @param left the calls that are still to be finished
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
  // The running calls have worked since the last call ended, so subtract that time.
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
 * Returns how many of the planned calls have not ended yet: at least as many as are running. Returns
 * undefined if no more calls were planned than have ended.
 *
 * @param planned the calls of the whole attempt, as estimated before it began
 */
export function leftOf(planned: Span, view: RunView): CallsLeft | undefined {
  // Count the calls of earlier attempts as made, since a resumed run does not repeat them.
  const calls = Object.values(view.calls);
  const running = calls.filter(({ state }) => state === 'running').length;
  const ended = calls.length - running;
  if (ended >= planned.high) return undefined;
  return {
    calls: { low: Math.max(running, planned.low - ended), high: planned.high - ended },
    inTurn: 0,
  };
}
