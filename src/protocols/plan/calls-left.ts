/** Counts the calls that a plan still makes. */
import type { Span } from '../../kernel/estimate.ts';
import { type CallsLeft, leftOf } from '../../kernel/time-left.ts';
import type { RunView } from '../../kernel/view.ts';
import { configSchema } from './config.ts';
import { planPlan } from './estimate.ts';

/** The estimated calls of a run, by its settings, because displays ask many times a second. */
const PLANNED = new WeakMap<object, Span | undefined>();

/** Returns the calls that are left of those that were estimated before the run began. */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  if (!PLANNED.has(view.config)) PLANNED.set(view.config, estimateCalls(view));
  const planned = PLANNED.get(view.config);
  return planned && leftOf(planned, view);
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
