/** Estimates the calls and tokens of a deliberation in rounds. */
import { planPredictions } from '../../decisions/estimate.ts';
import {
  ANSWER_TOKENS,
  type CallGroup,
  countAttached,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
} from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { SHARE } from '../common/asking/ask-with-tools.ts';

/**
 * Calls and tokens were measured with the stand-in: with 3, 8 and 13 rounds, a question of 20
 * tokens, with and without attachments. A role is called 2 to 5 times a round. Its prompt has 1,900
 * tokens in the first round, 550 more in each further round of a block of five, and 1,000 more in
 * each later block. The verifier is called 4 to 9 times, with about 800 tokens less. Models write
 * up to three times as much as the stand-in.
 */
const ROLE_CALLS: Span = { low: 2, high: 5 };
const VERIFIER_CALLS: Span = { low: 4, high: 9 };
/** The calls of a round before which a seat may use tools: its artifact and the four checks. */
const ARTIFACTS = 1;
const CHECKS = 4;
const ROLE_ANSWER: Span = { low: 200, high: 1_200 };
const VERIFIER_ANSWER: Span = { low: 90, high: 400 };
const FIRST_PROMPT = 1_900;
const LESS_FOR_VERIFIER = 800;
const GROWTH: Span = { low: 450, high: 1_200 };
const SUMMARY: Span = { low: 800, high: 2_000 };
const BLOCK = 5;
/**
 * The share of the planned rounds after which the signals ended runs: after 6 of 8 rounds, and
 * after 8 of 13.
 */
const ENDS_AFTER = 0.6;
/** The approximate tokens of the prompt for the synthesis. */
const LAST_SYNTHESIS: Span = { low: 1_200, high: 4_000 };

/** Estimates the tokens of a role's prompts in the first round, without attachments. */
export function estimateFirstRoundPrompt(question: string): number {
  return estimateTokens(question) + FIRST_PROMPT;
}

/** Estimates the calls of a deliberation in rounds. */
export function planRounds(rounds: {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly verifier: ModelSpec;
  readonly rounds: number;
  /** The role that is left out of a round, by the number of the round. */
  readonly stress: Readonly<Record<number, string>>;
  /** Whether signals may end the deliberation before the last round. */
  readonly mayEndEarly: boolean;
  readonly attachments: readonly string[];
  /** The number of predictions that are drafted from the synthesis. Absent if there are none. */
  readonly predict?: number | undefined;
  /** Whether seats may use tools before artifacts and verdicts. */
  readonly looks?: boolean | undefined;
}): PlannedCalls[] {
  const first = estimateFirstRoundPrompt(rounds.question) + countAttached(rounds.attachments);
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
  /** Returns the additional turns for tools, each with the results before it. */
  const lookups = (round: number, asked: number, less: number, answer: Span): CallGroup[] => {
    if (!rounds.looks) return [];
    const { low, high } = prompt(round, less);
    const turns = { low: 0, high: asked * (SHARE.turns - 1) };
    return [{ calls: calls(round, turns), prompt: { low, high: high + SHARE.tokens }, answer }];
  };
  const roles = rounds.seats.map(({ id, title, model }) =>
    planCalls(
      id,
      title,
      model,
      held
        .filter((round) => rounds.stress[round] !== id)
        .flatMap((round) => [
          { calls: calls(round, ROLE_CALLS), prompt: prompt(round, 0), answer: ROLE_ANSWER },
          ...lookups(round, ARTIFACTS, 0, ROLE_ANSWER),
        ]),
    ),
  );
  const verifier = planCalls('verifier', 'Verifier', rounds.verifier, [
    ...held.flatMap((round) => [
      {
        calls: calls(round, VERIFIER_CALLS),
        prompt: prompt(round, LESS_FOR_VERIFIER),
        answer: VERIFIER_ANSWER,
      },
      ...lookups(round, CHECKS, LESS_FOR_VERIFIER, VERIFIER_ANSWER),
    ]),
    { calls: ONCE, prompt: LAST_SYNTHESIS, answer: ANSWER_TOKENS },
  ]);
  return [
    ...roles,
    verifier,
    ...planPredictions(rounds.predict ?? 0, rounds.verifier, rounds.seats, ANSWER_TOKENS),
  ];
}
