/** Usage of calls: corrects implausible figures, and sums the usage and cost of several calls. */
import { isCall } from './call.ts';
import { addUsage, NO_USAGE, type Usage, usageSchema } from './model.ts';
import type { AnyFact } from './vocabulary.ts';

/**
 * More than any one call takes with all its attempts: a thousand times the largest context there is. Ten
 * thousand such calls add up to a number that is still exact.
 */
const MOST_TOKENS = 10_000_000_000;

const FIGURES = ['input', 'output', 'cached', 'cacheWritten', 'thinking'] as const;

/** The same where every figure is a count; those that are none are not known, and count nothing. */
function soundUsage(usage: Usage): Usage {
  if (FIGURES.every((one) => isCount(usage[one]))) return usage;
  const known = { ...usage };
  for (const one of FIGURES) if (!isCount(known[one])) known[one] = 0;
  return known;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS;
}

/** What is said of a call whose figures were left out. */
const NO_COUNT = 'the reported token counts are implausible and were ignored';

interface Accounted {
  readonly usage: Usage;
  readonly notes: readonly string[];
}

/** A call's account as it can be summed; where a figure was none, that is said. */
export function soundAccount<T extends Accounted>(call: T): T {
  const usage = soundUsage(call.usage);
  return usage === call.usage ? call : { ...call, usage, notes: [...call.notes, NO_COUNT] };
}

/**
 * A fact whose figures can be summed, whoever's fact it is. Older logs hold what servers reported, whatever
 * it was; a fact that was recorded soundly is the same.
 */
export function summable<F extends AnyFact>(one: F): F {
  if (isCall(one)) {
    const sound = soundAccount(one);
    if (sound === one) return one;
    // Its price was reckoned from these figures.
    const { costUsd: _costUsd, ...rest } = sound;
    return rest as F;
  }
  const { usage: said } = one as { readonly usage?: unknown };
  const { data: usage } = usageSchema.safeParse(said);
  if (usage === undefined) return one;
  const sound = soundUsage(usage);
  return sound === usage ? one : { ...one, usage: sound };
}

export interface Spent {
  /** Calls that ended, however they did. */
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars of the calls whose price is known; see `unpriced`. */
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
  /** Calls that a subscription pays for; absent if there is none. */
  readonly onPlan?: number | undefined;
}

export const NOTHING: Spent = { calls: 0, usage: NO_USAGE, costUsd: 0, unpriced: 0 };

/**
 * Returns the usage and cost of one ended call; `NOTHING` for an inherited call, which a fork's parent paid.
 */
export function spentBy(call: {
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  readonly inherited?: boolean | undefined;
  readonly onPlan?: boolean | undefined;
}): Spent {
  if (call.inherited === true) return NOTHING;
  const { usage, costUsd } = call;
  return {
    ...{ calls: 1, usage, costUsd: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0 },
    ...(call.onPlan === true ? { onPlan: 1 } : {}),
  };
}

export function plus(left: Spent, right: Spent): Spent {
  const onPlan = (left.onPlan ?? 0) + (right.onPlan ?? 0);
  return {
    ...(onPlan === 0 ? {} : { onPlan }),
    calls: left.calls + right.calls,
    usage: addUsage(left.usage, right.usage),
    costUsd: left.costUsd + right.costUsd,
    unpriced: left.unpriced + right.unpriced,
  };
}
