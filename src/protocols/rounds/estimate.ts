/** Estimates the calls and tokens of a deliberation in rounds. */

import { planPredictions } from '../../decisions/estimate.ts';
import type { CallsLeft, KindLeft } from '../../kernel/attempt/time-left.ts';
import { entryOf } from '../../kernel/entry.ts';
import {
  ANSWER_TOKENS,
  type CallGroup,
  countAttached,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
  sumSpans,
} from '../../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import type { CallView, RunView } from '../../kernel/view.ts';
import { SHARE } from '../common/asking/asking.ts';

/**
 * Calls and tokens were measured with the stand-in: with 3, 8 and 13 rounds, a question of 20
 * tokens, with and without attachments. A role is called 2 to 5 times a round. Its prompt has 1,900
 * tokens in the first round, 550 more in each further round of a block of five, and 1,000 more in
 * every round after the first block. The verifier is called 4 to 9 times a round, with about 800 tokens less.
 * Models write up to three times as much as the stand-in.
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
 * The least share of the planned rounds that estimates expect, if the signals may end a run early. In measured
 * runs, the signals ended it after 6 of 8 rounds, and after 8 of 13.
 */
const ENDS_AFTER = 0.6;
/** The approximate tokens of the prompt for the synthesis. */
const LAST_SYNTHESIS: Span = { low: 1_200, high: 4_000 };

/** Estimates the tokens of a role's prompts in the first round, without attachments. */
export function estimateFirstRoundPrompt(question: string): number {
  return estimateTokens(question) + FIRST_PROMPT;
}

/** Estimates the calls of a deliberation in rounds and their tokens, for each seat, the verifier and predictions. */
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
  /** The number of predictions that are drafted from the synthesis; absent or 0 for none. */
  readonly predict?: number | undefined;
  /** Whether seats may use tools before artifacts and verdicts. */
  readonly looks?: boolean | undefined;
}): PlannedCalls[] {
  const first = estimateFirstRoundPrompt(rounds.question) + countAttached(rounds.attachments);
  const count = rounds.rounds;
  const least = rounds.mayEndEarly ? Math.ceil(count * ENDS_AFTER) : count;
  const held = Array.from({ length: count }, (_, at) => at + 1);
  const estimatePrompt = (round: number, less: number): Span => {
    const at = (round - 1) % BLOCK;
    const later = round > BLOCK ? 1 : 0;
    const base = first - less;
    return {
      low: base + at * GROWTH.low + later * SUMMARY.low,
      high: base + at * GROWTH.high + later * SUMMARY.high,
    };
  };
  const makeCallSpan = (round: number, span: Span): Span => ({
    low: round > least ? 0 : span.low,
    high: span.high,
  });
  /**
   * Estimates the additional calls in which seats use tools. The prompts of these calls also contain the results of
   * the tools. Empty if seats have no tools.
   */
  const estimateLookups = (
    round: number,
    asked: number,
    less: number,
    answer: Span,
  ): CallGroup[] => {
    if (!rounds.looks) return [];
    const { low, high } = estimatePrompt(round, less);
    const turns = { low: 0, high: asked * (SHARE.turns - 1) };
    return [
      { calls: makeCallSpan(round, turns), prompt: { low, high: high + SHARE.tokens }, answer },
    ];
  };
  const roles = rounds.seats.map(({ id, title, model }) =>
    planCalls(
      id,
      title,
      model,
      held
        .filter((round) => rounds.stress[round] !== id)
        .flatMap((round) => [
          {
            calls: makeCallSpan(round, ROLE_CALLS),
            prompt: estimatePrompt(round, 0),
            answer: ROLE_ANSWER,
          },
          ...estimateLookups(round, ARTIFACTS, 0, ROLE_ANSWER),
        ]),
    ),
  );
  const verifier = planCalls('verifier', 'Verifier', rounds.verifier, [
    ...held.flatMap((round) => [
      {
        calls: makeCallSpan(round, VERIFIER_CALLS),
        prompt: estimatePrompt(round, LESS_FOR_VERIFIER),
        answer: VERIFIER_ANSWER,
      },
      ...estimateLookups(round, CHECKS, LESS_FOR_VERIFIER, VERIFIER_ANSWER),
    ]),
    { calls: ONCE, prompt: LAST_SYNTHESIS, answer: ANSWER_TOKENS },
  ]);
  return [
    ...roles,
    verifier,
    ...planPredictions(rounds.predict ?? 0, rounds.verifier, rounds.seats, ANSWER_TOKENS),
  ];
}

/** The phases of a round in which models are asked, in order; the last follows the last round. */
const PHASES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'synthesis'] as const;
type Phase = (typeof PHASES)[number];

/** What a call is for: a phase, the synthesis, the entrance test, or something after the synthesis. */
type Kind = Phase | 'whole' | 'exam' | 'other';

/**
 * The relative durations of calls, at least and at most, as measured with small models on their own server. The call
 * of the synthesis is `whole`, the entrance test `exam`, and predictions are `other`.
 */
const WEIGHTS: Readonly<Record<Kind, Span>> = {
  A: { low: 2, high: 2 },
  B: { low: 1.5, high: 5 },
  C: { low: 1.5, high: 4 },
  D: { low: 3, high: 7 },
  E: { low: 1.5, high: 3 },
  F: { low: 1.5, high: 3 },
  G: { low: 2, high: 4 },
  H: { low: 1, high: 2 },
  synthesis: { low: 1, high: 2 },
  whole: { low: 2, high: 4 },
  exam: { low: 3, high: 8 },
  other: { low: 1, high: 3 },
};

/** A step of a round: its number and its phase. */
const STEP = /^round-(\d+)\/([A-H](?=\/)|synthesis(?=\/(?!\d+$)))/;
/** The step of the entrance test of a reader. */
const EXAM = /^round-\d+\/A\/exam-/;
/** The step of the synthesis, whose last part is the synthesis's version. */
const SYNTHESIS = /^round-\d+\/synthesis\/\d+$/;

/**
 * Estimates the calls that a running deliberation still makes. If the settings allow the signals to end the
 * deliberation early, the lower bound assumes that the present round is the last. Returns undefined for a run that
 * only writes another synthesis. Also returns undefined if the settings name no number of rounds.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const { rounds, stress, driftEvery, stopAt, control, predict } = view.config;
  if (view.request.kind !== 'convene' || typeof rounds !== 'number') return undefined;
  const calls = Object.values(view.calls);
  const synthesis = calls.findLast(({ step }) => SYNTHESIS.test(step));
  if (synthesis !== undefined) {
    const isRunning = synthesis.state === 'running';
    return { kinds: isRunning ? [SYNTHESIS_LEFT] : [], kindOf, weightOf };
  }
  const { round, phase } = placeOf(calls);
  const planRound = (number: number): ReadonlyMap<Phase, Span> =>
    callsOfRound({
      round: number,
      isLast: number === rounds,
      seats: view.seats.length - (isStressRound(stress, number) ? 1 : 0),
      isStressed: isStressRound(stress, number),
      drifts: typeof driftEvery === 'number' && number % driftEvery === 0,
    });
  const made = calls.filter(
    (call) => startsIn(call, round, phase) && stepOf(call.step) === call.step,
  );
  const running = made.filter(({ state }) => state === 'running').length;
  const ended = made.length - running;
  const present = PHASES.slice(PHASES.indexOf(phase)).map((name): [Phase, Span] => {
    const { low, high } = planRound(round).get(name) ?? { low: 0, high: 0 };
    if (name !== phase) return [name, { low, high }];
    return [name, { low: Math.max(running, low - ended), high: Math.max(running, high - ended) }];
  });
  const later = Array.from({ length: Math.max(0, rounds - round) }, (_, index) => [
    ...planRound(round + 1 + index),
  ]).flat();
  const seats = view.seats.length;
  // If signals end the deliberation after the present round, no further round is held: only the last vote and the
  // synthesis, and what may follow them, are left.
  const mayEnd = stopAt !== 'never' && rounds > round;
  // After the last round's vote, there may be a control vote of each seat, and drafts and probabilities of
  // predictions.
  const predicted = typeof predict === 'number' && predict > 0 ? seats + 1 : 0;
  const all: readonly (readonly [Phase, Span])[] = [
    ...present,
    ...later.map(([phase, calls]) => [phase, mayEnd ? { ...calls, low: 0 } : calls] as const),
    ...(mayEnd ? [['synthesis', { low: seats, high: 0 }] as const] : []),
    ['synthesis', { low: 0, high: control === true ? seats : 0 }],
  ];
  return {
    kinds: [
      ...PHASES.map((kind) => ({
        kind,
        calls: sumSpans(all.flatMap(([phase, calls]) => (phase === kind ? [calls] : []))),
      })),
      SYNTHESIS_LEFT,
      { kind: 'other', calls: { low: 0, high: predicted } },
    ],
    kindOf,
    weightOf,
  };
}

const SYNTHESIS_LEFT: KindLeft = { kind: 'whole', calls: ONCE, inTurn: true };

function kindOf(step: string): Kind {
  if (SYNTHESIS.test(step)) return 'whole';
  if (EXAM.test(step)) return 'exam';
  return (STEP.exec(step)?.[2] as Phase | undefined) ?? 'other';
}

function weightOf(kind: string): Span {
  return Object.hasOwn(WEIGHTS, kind) ? WEIGHTS[kind as Kind] : WEIGHTS.other;
}

/** Returns the latest round and phase in which a call was made: phase A of round 1 if there was no call. */
function placeOf(calls: readonly CallView[]): { round: number; phase: Phase } {
  const places = calls.flatMap(({ step }) => {
    const found = STEP.exec(step);
    return found === null ? [] : [{ round: Number(found[1]), phase: found[2] as Phase }];
  });
  const rankPlace = ({ round, phase }: { round: number; phase: Phase }): number =>
    round * PHASES.length + PHASES.indexOf(phase);
  return places.reduce((latest, other) => (rankPlace(other) > rankPlace(latest) ? other : latest), {
    round: 1,
    phase: 'A' as Phase,
  });
}

function startsIn({ step }: CallView, round: number, phase: Phase): boolean {
  return step.startsWith(`round-${round}/${phase}/`);
}

/**
 * Returns how many calls each phase of a round makes, as counted in runs with the stand-in and with small models:
 * in phase E there are two to eight verdicts, in phase G one or two assessments.
 */
function callsOfRound({
  round,
  isLast,
  seats,
  isStressed,
  drifts,
}: {
  readonly round: number;
  readonly isLast: boolean;
  readonly seats: number;
  readonly isStressed: boolean;
  readonly drifts: boolean;
}): ReadonlyMap<Phase, Span> {
  const toExactSpan = (count: number): Span => ({ low: count, high: count });
  return new Map<Phase, Span>([
    ['A', round === 1 ? { low: seats, high: seats + 2 } : toExactSpan(isStressed ? 1 : 0)],
    ['B', toExactSpan(1)],
    ['C', toExactSpan(seats - 1)],
    ['D', toExactSpan(seats)],
    ['E', { low: 2, high: 8 }],
    ['F', { low: 0, high: 2 }],
    ['G', { low: 1, high: 2 }],
    ['H', toExactSpan(drifts ? 1 : 0)],
    ['synthesis', isLast ? { low: seats, high: seats + 1 } : toExactSpan(0)],
  ]);
}

function isStressRound(stress: unknown, round: number): boolean {
  return (
    typeof stress === 'object' &&
    stress !== null &&
    entryOf(stress as Readonly<Record<string, unknown>>, String(round)) !== undefined
  );
}
