/** Usage of calls: corrects implausible figures, and sums the usage and cost of several calls. */
import { isCall } from './call.ts';
import { addUsage, NO_USAGE, type Spent, type Usage, usageSchema } from './model.ts';
import type { AnyFact } from './vocabulary.ts';

/**
 * An upper limit for the tokens of one call with all its attempts: a thousand times the largest context
 * window. The sum of ten thousand such calls is still an exact number.
 */
const MOST_TOKENS = 10_000_000_000;

const FIGURES = ['input', 'output', 'cached', 'cacheWritten', 'thinking'] as const;

/** Returns the usage with every implausible figure replaced by 0. */
function plausibleUsage(usage: Usage): Usage {
  if (FIGURES.every((one) => isCount(usage[one]))) return usage;
  const known = { ...usage };
  for (const one of FIGURES) if (!isCount(known[one])) known[one] = 0;
  return known;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS;
}

/** The note on a call whose figures were ignored. */
const NO_COUNT = 'the reported token counts are implausible and were ignored';

interface Accounted {
  readonly usage: Usage;
  readonly notes: readonly string[];
}

/**
 * Returns the call with implausible usage figures replaced. A note is added if a figure was
 * replaced.
 */
export function withPlausibleUsage<T extends Accounted>(call: T): T {
  const usage = plausibleUsage(call.usage);
  return usage === call.usage ? call : { ...call, usage, notes: [...call.notes, NO_COUNT] };
}

/**
 * Returns a fact with implausible usage figures replaced. Early logs contain whatever servers
 * reported; a fact with plausible figures is returned unchanged.
 */
export function withPlausibleFigures<F extends AnyFact>(one: F): F {
  if (isCall(one)) {
    const sound = withPlausibleUsage(one);
    if (sound === one) return one;
    // The cost was computed from the implausible figures, so it is dropped too.
    const { costUsd: _costUsd, ...rest } = sound;
    return rest as F;
  }
  const { usage: said } = one as { readonly usage?: unknown };
  const { data: usage } = usageSchema.safeParse(said);
  if (usage === undefined) return one;
  const sound = plausibleUsage(usage);
  return sound === usage ? one : { ...one, usage: sound };
}

/** The usage and cost of no calls. */
export const NO_SPENDING: Spent = { calls: 0, usage: NO_USAGE, costUsd: 0, unpriced: 0 };

/**
 * Returns the usage and cost of one ended call; `NO_SPENDING` for an inherited call, which a fork's parent paid.
 */
export function getSpending(call: {
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  readonly inherited?: boolean | undefined;
  readonly onPlan?: boolean | undefined;
}): Spent {
  if (call.inherited === true) return NO_SPENDING;
  const { usage, costUsd } = call;
  return {
    calls: 1,
    usage,
    costUsd: costUsd ?? 0,
    unpriced: costUsd === undefined ? 1 : 0,
    ...(call.onPlan === true ? { onPlan: 1 } : {}),
  };
}

/** Adds two sums. */
export function addSpent(left: Spent, right: Spent): Spent {
  const onPlan = (left.onPlan ?? 0) + (right.onPlan ?? 0);
  return {
    ...(onPlan === 0 ? {} : { onPlan }),
    calls: left.calls + right.calls,
    usage: addUsage(left.usage, right.usage),
    costUsd: left.costUsd + right.costUsd,
    unpriced: left.unpriced + right.unpriced,
  };
}
