/**
 * What a run is likely to take, before anybody is asked: calls, tokens, dollars, and how much of each
 * model's window its longest prompt fills. Pure: it knows prices and windows only as it is told.
 */
import type { ModelSpec, Usage } from './model.ts';
import { NO_USAGE } from './model.ts';
import { estimateTokens } from './tokens.ts';

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What one seat is going to be asked, all its calls together. Tokens. */
export interface PlannedCalls {
  readonly seat: string;
  readonly title: string;
  readonly model: ModelSpec;
  readonly calls: Span;
  readonly input: Span;
  readonly output: Span;
  /** Its longest prompt, at most. */
  readonly largest: number;
}

export interface SeatEstimate extends PlannedCalls {
  /** Absent where no price is known. What a prompt cache saves is not taken off. */
  readonly usd?: Span | undefined;
  /** Absent where nobody knows it. */
  readonly window?: number | undefined;
}

export interface RunEstimate {
  readonly seats: readonly SeatEstimate[];
  readonly calls: Span;
  readonly input: Span;
  readonly output: Span;
  /** Of the models whose price is known. */
  readonly usd: Span;
  /** Models without a known price, each once. */
  readonly unpriced: readonly ModelSpec[];
  /** Whether anybody may be paid. */
  readonly paid: boolean;
}

export interface Rates {
  /** USD for the usage of one call; undefined where no price is known. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** Tokens; undefined where nobody knows. */
  window(model: ModelSpec): number | undefined;
  /** See `Models`. */
  ownPrompt?(model: ModelSpec): number;
}

export function estimateRun(planned: readonly PlannedCalls[], rates: Rates): RunEstimate {
  const seats = planned
    .map((one) => withOwnPrompt(one, rates.ownPrompt?.(one.model) ?? 0))
    .map((one) => ({ ...one, usd: usdOf(one, rates), window: rates.window(one.model) }));
  return {
    seats,
    calls: total(seats.map(({ calls }) => calls)),
    input: total(seats.map(({ input }) => input)),
    output: total(seats.map(({ output }) => output)),
    usd: total(seats.flatMap(({ usd }) => usd ?? [])),
    unpriced: [...new Set(seats.flatMap(({ model, usd }) => (usd === undefined ? [model] : [])))],
    paid: seats.some(({ usd }) => usd === undefined || usd.high > 0),
  };
}

/** With what whoever answers adds to each prompt. */
function withOwnPrompt(planned: PlannedCalls, tokens: number): PlannedCalls {
  if (tokens === 0) return planned;
  const added = times(planned.calls, { low: tokens, high: tokens });
  return {
    ...planned,
    input: total([planned.input, added]),
    largest: planned.largest + tokens,
  };
}

/**
 * Tokens of an answer that is asked to stay under 450 words. The stand-in needs 260 to 330, models were
 * seen to write 400 to 600; who thinks first pays for that too.
 */
export const ANSWER: Span = { low: 250, high: 1_200 };
/** Line numbers before every line of an attachment. */
const NUMBERED = 1.2;

/** So many calls of one kind. */
export interface Asked {
  readonly calls: Span;
  readonly prompt: Span;
  readonly answer: Span;
}

export function planCalls(
  seat: string,
  title: string,
  model: ModelSpec,
  asked: readonly Asked[],
): PlannedCalls {
  return {
    seat,
    title,
    model,
    calls: total(asked.map(({ calls }) => calls)),
    input: total(asked.map(({ calls, prompt }) => times(calls, prompt))),
    output: total(asked.map(({ calls, answer }) => times(calls, answer))),
    largest: Math.max(0, ...asked.map(({ prompt }) => prompt.high)),
  };
}

export function countAttached(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0) * NUMBERED);
}

/** By the average call: a price may depend on how long a prompt is. */
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

export const ONCE: Span = { low: 1, high: 1 };

export function even(value: number): Span {
  return { low: value, high: value };
}

export function times(one: Span, other: Span): Span {
  return { low: one.low * other.low, high: one.high * other.high };
}

function total(spans: readonly Span[]): Span {
  return spans.reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    even(0),
  );
}
