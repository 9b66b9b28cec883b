/** Estimates the calls and tokens of a plan. */

import { type CallsLeft, countLeft } from '../../kernel/attempt/time-left.ts';
import {
  ANSWER_TOKENS,
  fixedSpan,
  ONCE,
  type PlannedCalls,
  planCalls,
  type Span,
} from '../../kernel/estimate.ts';
import type { Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { RunView } from '../../kernel/view.ts';
import { SHARE } from '../common/asking/asking.ts';
import { countAttachedPart } from '../common/prompts/attached.ts';
import { CHAIR, configSchema, type PlanConfig, RESEARCHER } from './config.ts';
import { QUESTIONS } from './prompts/staffing.ts';

/** Tokens of a prompt's instructions, without topic, documents and statements. */
const TASK = 400;
/** Tokens of the instructions for the spec, which describe every part of it. */
const SYNTHESIS_TASK = 850;
/** Tokens of what one specialist states. */
const STATED: Span = { low: 400, high: 1_500 };

/** The most parts of a spec for each specialist. */
const PARTS = 8;
/** Tokens of a part of the spec with what it cites. */
const READ: Span = { low: 250, high: 900 };

/**
 * Estimates the calls and tokens of a run that makes a plan, as if every specialist took part. The lower
 * bound assumes that no question is open, and that only two specialists make statements.
 */
export function planPlan(
  topic: string,
  seats: readonly Seat[],
  config: PlanConfig,
): PlannedCalls[] {
  const { roles, rounds, gateTokens, researchers } = config;
  const opening = estimateTokens(topic) + TASK;
  const attached = countAttachedPart(config);
  const specialists = seats.filter(({ id }) => Object.hasOwn(roles, id));
  const count = specialists.length;
  // Nobody knows before the run which specialists the topic calls in. The lower bound counts those that the
  // person named and, if they are fewer than two, enough others to make two.
  const isNamed = ({ id }: Seat): boolean => roles[id]?.called === true;
  const named = specialists.filter(isNamed);
  const sure = [...named, ...specialists.filter((seat) => !isNamed(seat))].slice(
    0,
    Math.max(2, named.length),
  );
  const all = { low: 2 * STATED.low, high: count * STATED.high };
  const context = { low: opening, high: opening + gateTokens };
  const later = { low: context.low, high: context.high + all.high };
  return seats.map(({ id, title, model }) => {
    if (id === RESEARCHER)
      return planCalls(id, title, model, [
        {
          calls: { low: 0, high: researchers * SHARE.turns },
          prompt: { low: opening, high: opening + SHARE.tokens },
          answer: ANSWER_TOKENS,
        },
      ]);
    if (id === CHAIR)
      return planCalls(id, title, model, [
        { calls: ONCE, prompt: fixedSpan(opening + attached), answer: ANSWER_TOKENS },
        { calls: { low: 0, high: count * QUESTIONS }, prompt: context, answer: STATED },
        {
          calls: { low: 1, high: 2 * rounds },
          prompt: { low: opening + all.low, high: opening + all.high },
          answer: STATED,
        },
        // Before each search for conflicts, a model writes controls (statements to be planted) for a seat from
        // what that seat was shown, and is asked again if none of them can be used.
        {
          calls: { low: 1, high: 4 * rounds },
          prompt: { low: opening + all.low, high: opening + gateTokens + all.high },
          answer: { low: 150, high: 700 },
        },
        {
          calls: { low: 1, high: 2 },
          prompt: {
            low: opening - TASK + SYNTHESIS_TASK + attached + all.low,
            high: opening - TASK + SYNTHESIS_TASK + attached + all.high,
          },
          answer: { low: 800, high: 3_000 },
        },
        // A reader gets one part of the spec per call.
        {
          calls: { low: 2, high: 2 * PARTS * count },
          prompt: READ,
          answer: { low: 40, high: 200 },
        },
        // A reader compares all parts of the spec in one call.
        {
          calls: { low: 1, high: 4 },
          prompt: { low: all.low, high: 2 * all.high },
          answer: { low: 40, high: 1_000 },
        },
      ]);
    const once = sure.some((seat) => seat.id === id) ? ONCE : { low: 0, high: 1 };
    return planCalls(id, title, model, [
      { calls: once, prompt: fixedSpan(opening + attached), answer: STATED },
      { calls: once, prompt: withMore(context, attached), answer: STATED },
      { calls: { low: 0, high: rounds - 1 }, prompt: withMore(later, attached), answer: STATED },
    ]);
  });
}

function withMore({ low, high }: Span, tokens: number): Span {
  return { low: low + tokens, high: high + tokens };
}

/** The estimated calls of a run, by its settings, because displays ask many times a second. */
const PLANNED = new WeakMap<object, Span | undefined>();

/**
 * Returns how many of the run's estimated calls are still to come. Undefined if the run's settings cannot be read, or
 * once as many calls have ended as were estimated at most.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  if (!PLANNED.has(view.config)) PLANNED.set(view.config, estimateCalls(view));
  const planned = PLANNED.get(view.config);
  return planned && countLeft(planned, view);
}

function estimateCalls({ question, seats, config }: RunView): Span | undefined {
  const settings = configSchema.safeParse(config).data;
  if (settings === undefined) return undefined;
  const calls = planPlan(question, seats, settings).map((seat) => seat.calls);
  return {
    low: calls.reduce((sum, { low }) => sum + low, 0),
    high: calls.reduce((sum, { high }) => sum + high, 0),
  };
}
