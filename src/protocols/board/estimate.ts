/** Estimates the calls and tokens of a board. */

import { planPredictions } from '../../decisions/estimate.ts';
import { type CallsLeft, isOfAttempt } from '../../kernel/attempt/time-left.ts';
import {
  ANSWER_TOKENS,
  countAttached,
  fixedSpan,
  multiplySpans,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
} from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { RunView } from '../../kernel/view.ts';
import { SHARE } from '../common/asking/asking.ts';
import { getAnswerStep } from './fold.ts';

/** Tokens of the instructions of an advisor and of the synthesizer, without question, texts and answers. */
const ADVISOR_TASK = 160;
const SYNTHESIS_TASK = 470;
/** Tokens of the instructions for comparing options. */
const SAME_TASK = 600;

/** Estimates the tokens of a seat's prompt without attachments. */
export function estimateAdvisorPrompt(question: string, brief: string): number {
  return estimateTokens(question) + estimateTokens(brief) + ADVISOR_TASK;
}

/**
 * Estimates the calls for a board's first question: one for each seat, one for the synthesis, and
 * those that the settings add.
 */
export function planBoard(board: {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly synthesizer: ModelSpec;
  /** The attached texts. */
  readonly attachments: readonly string[];
  /** Whether there is a vote, and so one more call for the table of positions. */
  readonly vote?: boolean | undefined;
  /** How many predictions are drafted. Absent if there are none. */
  readonly predict?: number | undefined;
  /** Whether seats may use tools before they answer. */
  readonly looks?: boolean | undefined;
  /** The baseline's model and number of answers. */
  readonly baseline?: { readonly model: ModelSpec; readonly samples: Span } | undefined;
}): PlannedCalls[] {
  const question = estimateTokens(board.question);
  const texts = countAttached(board.attachments);
  const advisors = board.seats.map((seat): PlannedCalls => {
    const input = estimateAdvisorPrompt(board.question, seat.brief) + texts;
    return planCalls(seat.id, seat.title, seat.model, [
      board.looks
        ? {
            calls: { low: 1, high: SHARE.turns },
            prompt: { low: input, high: input + SHARE.tokens },
            answer: ANSWER_TOKENS,
          }
        : { calls: ONCE, prompt: fixedSpan(input), answer: ANSWER_TOKENS },
    ]);
  });
  const heard = multiplySpans(ANSWER_TOKENS, fixedSpan(board.seats.length));
  const synthesis = {
    low: question + SYNTHESIS_TASK + heard.low,
    high: question + SYNTHESIS_TASK + heard.high,
  };
  return [
    ...advisors,
    planCalls('synthesizer', 'Synthesizer', board.synthesizer, [
      { calls: ONCE, prompt: synthesis, answer: ANSWER_TOKENS },
      // A vote adds the call for the table of positions. Its prompt contains the same answers as the
      // synthesizer's prompt, and the options on the ballots. The options are estimated as one more answer.
      ...(board.vote
        ? [
            {
              calls: ONCE,
              prompt: {
                low: synthesis.low + ANSWER_TOKENS.low,
                high: synthesis.high + ANSWER_TOKENS.high,
              },
              answer: ANSWER_TOKENS,
            },
          ]
        : []),
    ]),
    ...planPredictions(board.predict ?? 0, board.synthesizer, board.seats, {
      low: question + ANSWER_TOKENS.low,
      high: question + ANSWER_TOKENS.high,
    }),
    ...(board.baseline === undefined || board.baseline.samples.high === 0
      ? []
      : [
          planCalls('baseline', 'Baseline', board.baseline.model, [
            {
              calls: board.baseline.samples,
              prompt: fixedSpan(estimateAdvisorPrompt(board.question, '') + texts),
              answer: ANSWER_TOKENS,
            },
            // Several answers of the baseline may word the same choice differently; one more call then groups
            // them.
            ...(board.baseline.samples.high > 1
              ? [
                  {
                    calls: { low: 0, high: 1 },
                    prompt: fixedSpan(SAME_TASK),
                    answer: ANSWER_TOKENS,
                  },
                ]
              : []),
          ]),
        ]),
  ];
}

/** A step that asks the seats a follow-up question. */
const FOLLOW_UP = /^question-(\d+)\/seat\//;

/**
 * Returns how many calls the present attempt still has to make; from this the console estimates the time left.
 * Returns undefined for an ablation, and once predictions or baselines have begun.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const { request, config, seats } = view;
  const own = Object.values(view.calls).filter((call) => isOfAttempt(call, view));
  const steps = own.map(({ step }) => stepOf(step));
  if (steps.some((step) => /^(?:predict|forecast|baseline|influence)/.test(step))) return undefined;
  const { kind } = request;
  if (kind === 'weigh') return undefined;
  const hasEnded = (prefix: string): boolean =>
    own.some(({ step, state }) => stepOf(step).startsWith(prefix) && state !== 'running');
  const wanted =
    kind === 'retry' ? new Set((request as { seats?: readonly string[] }).seats) : undefined;
  const number = Math.max(1, ...steps.map((step) => Number(FOLLOW_UP.exec(step)?.[1] ?? 1)));
  const open = seats.filter(({ id }) => {
    if (kind === 'resynthesize' || wanted?.has(id) === false) return false;
    const answer = getAnswerStep(id, number);
    const last = Object.values(view.calls).findLast(({ step }) => stepOf(step) === answer);
    if (last === undefined || last.state === 'running') return true;
    const hasAskedForTools = last.calls !== undefined;
    return isOfAttempt(last, view) ? hasAskedForTools : last.state !== 'done';
  }).length;
  const synthesis = kind === 'retry' || hasEnded('synthesis/') ? 0 : 1;
  const matrix = config.vote !== true || kind === 'retry' || hasEnded('agreement/') ? 0 : 1;
  const more = typeof config.predict === 'number' && config.predict > 0 ? seats.length + 1 : 0;
  // Baselines are asked only after the first question of the run, and not after a retry, a follow-up
  // question or another synthesis.
  const baselines =
    kind === 'convene' && Array.isArray(config.baselines) ? config.baselines.length : 0;
  const calls: Span =
    baselines === 0 ? fixedSpan(open + more) : { low: open + more, high: Number.POSITIVE_INFINITY };
  return {
    kinds: [
      { kind: 'seat', calls },
      { kind: 'synthesis', calls: fixedSpan(synthesis), inTurn: true },
      { kind: 'agreement', calls: fixedSpan(matrix), inTurn: true },
    ],
    kindOf,
    weightOf: (kind) => WEIGHTS.get(kind) ?? ONCE,
  };
}

/**
 * How long the synthesis and the matrix of agreement took, compared with an answer, as small models on their own
 * server took: they read every answer first.
 */
const WEIGHTS: ReadonlyMap<string, Span> = new Map([
  ['synthesis', { low: 1.1, high: 3.4 }],
  ['agreement', { low: 0.6, high: 2.4 }],
]);

function kindOf(step: string): string {
  return /^(?:synthesis|agreement)(?=\/)/.exec(step)?.[0] ?? 'seat';
}
