/** Usage of calls: corrects implausible figures, and sums the usage and cost of several calls. */
import { isCall } from './call.ts';
import { addUsage, NO_USAGE, type SpentTotal, type Usage, usageSchema } from './model.ts';
import type { AnyFact } from './vocabulary.ts';

/**
 * An upper limit for the tokens of one call with all its attempts: a thousand times the largest context
 * window. The sum of ten thousand such calls is still an exact number.
 */
const MOST_TOKENS = 10_000_000_000;

const FIGURES = ['input', 'output', 'cached', 'cacheWritten', 'thinking'] as const;

/** Returns the usage with every implausible figure replaced by 0. */
function plausibleUsage(usage: Usage): Usage {
  const { cacheWrittenForHour: forHour, ...known } = usage;
  const isForHourKnown = forHour === undefined || isCount(forHour);
  if (isForHourKnown && FIGURES.every((figure) => isCount(usage[figure]))) return usage;
  for (const figure of FIGURES) if (!isCount(known[figure])) known[figure] = 0;
  return isForHourKnown && forHour !== undefined
    ? { ...known, cacheWrittenForHour: forHour }
    : known;
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
 * Returns a copy of the call in which implausible usage figures are replaced by 0, with a note that
 * says so. Returns the call itself if all figures are plausible. `cacheWrittenForHour` is not examined.
 */
export function withPlausibleUsage<T extends Accounted>(call: T): T {
  const usage = plausibleUsage(call.usage);
  return usage === call.usage ? call : { ...call, usage, notes: [...call.notes, NO_COUNT] };
}

/**
 * Returns a copy of the fact in which implausible usage figures are replaced by 0, since early logs
 * contain whatever servers reported. The cost of a call with such figures is removed. A fact with
 * plausible figures is returned unchanged.
 */
export function withPlausibleFigures<F extends AnyFact>(fact: F): F {
  if (isCall(fact)) {
    const sound = withPlausibleUsage(fact);
    if (sound === fact) return fact;
    // The call's cost was computed from token counts that are not plausible, so it is removed too.
    const { costUsd: _costUsd, ...rest } = sound;
    return rest as F;
  }
  const { usage: said } = fact as { readonly usage?: unknown };
  const { data: usage } = usageSchema.safeParse(said);
  if (usage === undefined) return fact;
  const sound = plausibleUsage(usage);
  return sound === usage ? fact : { ...fact, usage: sound };
}

/** The usage and cost of no calls. */
export const NO_SPENDING: SpentTotal = { calls: 0, usage: NO_USAGE, costUsd: 0, unpriced: 0 };

/**
 * Returns the usage and cost of one ended call. Returns `NO_SPENDING` for a call that a fork copied
 * from its parent run, because the parent run has paid for the call.
 */
export function getSpending(call: {
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  readonly inherited?: boolean | undefined;
  readonly onPlan?: boolean | undefined;
}): SpentTotal {
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

/** Adds the usage and cost of two groups of calls. */
export function addSpent(left: SpentTotal, right: SpentTotal): SpentTotal {
  const onPlan = (left.onPlan ?? 0) + (right.onPlan ?? 0);
  return {
    ...(onPlan === 0 ? {} : { onPlan }),
    calls: left.calls + right.calls,
    usage: addUsage(left.usage, right.usage),
    costUsd: left.costUsd + right.costUsd,
    unpriced: left.unpriced + right.unpriced,
  };
}
