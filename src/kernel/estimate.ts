/**
 * Estimates a run before its first call: calls, tokens, dollars, and how much of each model's context
 * window its longest prompt fills. The functions are pure: prices and windows are arguments.
 */
import type { ModelSpec, Usage } from './model.ts';
import { NO_USAGE } from './model.ts';
import { estimateTokens } from './tokens.ts';

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
  /** Whether any call of the run may cost money. This is true if a price is above 0 or not known. */
  readonly paid: boolean;
}

/** Functions that look up prices and context windows of models. */
export interface Rates {
  /** Returns the cost in US dollars of one call with this usage; undefined if no price is known. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** Returns the context window in tokens; undefined if unknown. */
  window(model: ModelSpec): number | undefined;
  /**
   * Returns the tokens that the model's coding agent or server adds to every prompt. Absent: none are added.
   */
  ownPrompt?(model: ModelSpec): number;
}

/**
 * Estimates a run from the planned calls of each seat: adds costs, windows, and the tokens that coding agents
 * or servers add to every prompt, and sums all seats.
 */
export function estimateRun(planned: readonly PlannedCalls[], rates: Rates): RunEstimate {
  const seats = planned
    .map((plannedCalls) => withOwnPrompt(plannedCalls, rates.ownPrompt?.(plannedCalls.model) ?? 0))
    .map((plannedCalls) => ({
      ...plannedCalls,
      usd: usdOf(plannedCalls, rates),
      window: rates.window(plannedCalls.model),
    }));
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
  const computeUsd = (end: keyof Span): number | undefined => {
    const count = Math.max(1, calls[end]);
    const usage = { ...NO_USAGE, input: input[end] / count, output: output[end] / count };
    const each = rates.price(model, usage);
    return each === undefined ? undefined : each * count;
  };
  const low = computeUsd('low');
  const high = computeUsd('high');
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** The lower and upper estimate of a number that is exactly 1, such as of calls that are made once. */
export const ONCE: Span = { low: 1, high: 1 };

/** Returns the lower and upper estimate of a number that is known exactly: both are `value`. */
export function fixedSpan(value: number): Span {
  return { low: value, high: value };
}

/** Multiplies two estimates: the lower by the lower, and the upper by the upper. */
export function multiplySpans(span: Span, other: Span): Span {
  return { low: span.low * other.low, high: span.high * other.high };
}

/** Adds up estimates: the lower ones, and the upper ones. */
export function sumSpans(spans: readonly Span[]): Span {
  return spans.reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    fixedSpan(0),
  );
}
