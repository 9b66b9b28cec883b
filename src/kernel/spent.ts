/** What calls took, summed: of one scope of a run, or of one node of a tree. */
import { addUsage, NO_USAGE, type Usage } from './model.ts';

export interface Spent {
  /** Calls that ended, however they did. */
  readonly calls: number;
  readonly usage: Usage;
  /** What is known of it; see `unpriced`. */
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
}

export const NOTHING: Spent = { calls: 0, usage: NO_USAGE, costUsd: 0, unpriced: 0 };

/** Of one call that ended. What a fork took over was paid for by its parent: nothing. */
export function spentBy(call: {
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  readonly inherited?: boolean | undefined;
}): Spent {
  if (call.inherited === true) return NOTHING;
  const { usage, costUsd } = call;
  return { calls: 1, usage, costUsd: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0 };
}

export function plus(left: Spent, right: Spent): Spent {
  return {
    calls: left.calls + right.calls,
    usage: addUsage(left.usage, right.usage),
    costUsd: left.costUsd + right.costUsd,
    unpriced: left.unpriced + right.unpriced,
  };
}
