/**
 * What a run is likely to take, before anybody is asked: calls, tokens, dollars, and how much of each
 * model's window its longest prompt fills. Pure: it knows prices and windows only as it is told.
 */
import type { ModelSpec, Seat, Usage } from './model.ts';
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
}

export function estimateRun(planned: readonly PlannedCalls[], rates: Rates): RunEstimate {
  const seats = planned.map((one) => ({
    ...one,
    usd: usdOf(one, rates),
    window: rates.window(one.model),
  }));
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

/**
 * Tokens of an answer that is asked to stay under 450 words. The stand-in needs 260 to 330, models were
 * seen to write 400 to 600; who thinks first pays for that too.
 */
const ANSWER: Span = { low: 250, high: 1_200 };
/** Tokens of what an advisor and a synthesizer are told besides the question, the texts and the answers. */
const ADVISOR_TASK = 130;
const SYNTHESIS_TASK = 330;
/** Line numbers before every line of an attachment. */
const NUMBERED = 1.2;

/** Tokens that an advisor is sent, without the attachments. */
export function advisorPrompt(question: string, brief: string): number {
  return estimateTokens(question) + estimateTokens(brief) + ADVISOR_TASK;
}

/** A board's first question: every seat once, then one synthesis. */
export function planBoard(board: {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly synthesizer: ModelSpec;
  /** The texts under discussion. */
  readonly attachments: readonly string[];
  /** Whether it is mapped who holds what: one more call beside the synthesis. */
  readonly vote?: boolean | undefined;
  /** Answers that are asked for without a panel, and of which model. */
  readonly baseline?: { readonly model: ModelSpec; readonly samples: number } | undefined;
}): PlannedCalls[] {
  const question = estimateTokens(board.question);
  const texts = attached(board.attachments);
  const advisors = board.seats.map((seat): PlannedCalls => {
    const input = advisorPrompt(board.question, seat.brief) + texts;
    return planned(seat.id, seat.title, seat.model, [
      { calls: ONCE, prompt: even(input), answer: ANSWER },
    ]);
  });
  const heard = times(ANSWER, even(board.seats.length));
  const synthesis = {
    low: question + SYNTHESIS_TASK + heard.low,
    high: question + SYNTHESIS_TASK + heard.high,
  };
  return [
    ...advisors,
    planned('synthesizer', 'Synthesizer', board.synthesizer, [
      { calls: ONCE, prompt: synthesis, answer: ANSWER },
      // It reads what the synthesis read, and the synthesis.
      ...(board.vote
        ? [
            {
              calls: ONCE,
              prompt: { low: synthesis.low + ANSWER.low, high: synthesis.high + ANSWER.high },
              answer: ANSWER,
            },
          ]
        : []),
    ]),
    ...(board.baseline === undefined || board.baseline.samples === 0
      ? []
      : [
          planned('baseline', 'Baseline', board.baseline.model, [
            {
              calls: even(board.baseline.samples),
              prompt: even(advisorPrompt(board.question, '') + texts),
              answer: ANSWER,
            },
          ]),
        ]),
  ];
}

/**
 * Rounds as the stand-in held them (8 and 13 planned, a question of 20 tokens, seeds at random): a role
 * is called 3 to 6 times a round with a prompt of 1,900 tokens in the first, 550 more in each further
 * round of a block of five, and 1,000 more in every block after the first; the verifier is called 5 to 8
 * times, with about 800 tokens less. Models write up to three times as much as the stand-in, and what is
 * written is read in later rounds.
 */
const ROLE_CALLS: Span = { low: 3, high: 6 };
const VERIFIER_CALLS: Span = { low: 5, high: 8 };
const ROLE_ANSWER: Span = { low: 200, high: 1_200 };
const VERIFIER_ANSWER: Span = { low: 90, high: 400 };
const FIRST_PROMPT = 1_900;
const LESS_FOR_VERIFIER = 800;
const GROWTH: Span = { low: 450, high: 1_200 };
const SUMMARY: Span = { low: 800, high: 2_000 };
const BLOCK = 5;
/** The share of the planned rounds after which signals were seen to end it, 6 of 8 and 8 of 13. */
const ENDS_AFTER = 0.6;
/** Tokens of the prompt for the synthesis at the end, roughly. */
const LAST_SYNTHESIS: Span = { low: 1_200, high: 4_000 };

/** Tokens that a role is sent in the first round, without the attachments. */
export function firstRoundPrompt(question: string): number {
  return estimateTokens(question) + FIRST_PROMPT;
}

export function planRounds(rounds: {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly verifier: ModelSpec;
  readonly rounds: number;
  /** Round → the role that is absent from it. */
  readonly stress: Readonly<Record<number, string>>;
  /** Whether signals may end it before the last round. */
  readonly mayEndEarly: boolean;
  readonly attachments: readonly string[];
}): PlannedCalls[] {
  const first = firstRoundPrompt(rounds.question) + attached(rounds.attachments);
  const count = rounds.rounds;
  const least = rounds.mayEndEarly ? Math.ceil(count * ENDS_AFTER) : count;
  const held = Array.from({ length: count }, (_, at) => at + 1);
  const prompt = (round: number, less: number): Span => {
    const at = (round - 1) % BLOCK;
    const later = round > BLOCK ? 1 : 0;
    const base = first - less;
    return {
      low: base + at * GROWTH.low + later * SUMMARY.low,
      high: base + at * GROWTH.high + later * SUMMARY.high,
    };
  };
  const calls = (round: number, span: Span): Span => ({
    low: round > least ? 0 : span.low,
    high: span.high,
  });
  const roles = rounds.seats.map(({ id, title, model }) =>
    planned(
      id,
      title,
      model,
      held
        .filter((round) => rounds.stress[round] !== id)
        .map((round) => ({
          calls: calls(round, ROLE_CALLS),
          prompt: prompt(round, 0),
          answer: ROLE_ANSWER,
        })),
    ),
  );
  const verifier = planned('verifier', 'Verifier', rounds.verifier, [
    ...held.map((round) => ({
      calls: calls(round, VERIFIER_CALLS),
      prompt: prompt(round, LESS_FOR_VERIFIER),
      answer: VERIFIER_ANSWER,
    })),
    { calls: ONCE, prompt: LAST_SYNTHESIS, answer: ANSWER },
  ]);
  return [...roles, verifier];
}

/** So many calls of one kind. */
interface Asked {
  readonly calls: Span;
  readonly prompt: Span;
  readonly answer: Span;
}

function planned(
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

function attached(texts: readonly string[]): number {
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

const ONCE: Span = { low: 1, high: 1 };

function even(value: number): Span {
  return { low: value, high: value };
}

function times(one: Span, other: Span): Span {
  return { low: one.low * other.low, high: one.high * other.high };
}

function total(spans: readonly Span[]): Span {
  return spans.reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    even(0),
  );
}
