/**
 * Finds the failed calls of a recorded attempt that a later attempt may make again. Everything is decided from
 * the facts: a failure on which a later step was built stays.
 */
import { KERNEL } from './facts.ts';
import type { Protocol } from './protocol.ts';
import { isOfTurns } from './tools/tools.ts';
import { viewOf } from './view.ts';
import type { AnyFact } from './vocabulary.ts';

/**
 * Returns the steps whose failed calls a later attempt makes again: what the protocol's own function `unsettled`
 * returns, or, if the protocol has none, `unsettledFailures`.
 *
 * @param config the settings of the later attempt; default: the settings on record
 */
export function failuresToAskAgain(
  protocol: Protocol,
  facts: readonly AnyFact[],
  config: unknown = viewOf(facts).config,
): readonly string[] {
  return protocol.unsettled?.(facts, config) ?? unsettledFailures(facts);
}

/** Options of `unsettledFailures`. */
interface Settling {
  /**
   * False if local work can be recomputed at no cost: only calls and a person's answers then count as built
   * on a failure.
   */
  readonly byWork?: boolean;
  /** The sequence number up to which every failure counts as settled. */
  readonly upTo?: number;
}

/**
 * Returns the steps with a failed call that a later attempt may repeat. A failure is left out if some step
 * began after the failure and has finished without failing, because the result of this later step may depend on
 * the failure. Turns do not count as later steps, because a turn continues only earlier turns of its own seat.
 * With `byWork: false`, steps of local work, which call no model and ask nobody, do not count either. Failures up
 * to the position `upTo` in the log are always left out, and so are failures that a fork copied.
 */
export function unsettledFailures(
  facts: readonly AnyFact[],
  { byWork = true, upTo = 0 }: Settling = {},
): string[] {
  const startedAt = new Map<string, number>();
  let lastBuilt = upTo;
  const failures = new Map<string, number>();
  for (const fact of facts.filter(KERNEL.owns)) {
    if (fact.type === 'step.started')
      startedAt.set(fact.step, byWork || fact.kind !== 'work' ? fact.seq : 0);
    if (fact.type === 'call.failed') failures.set(fact.step, fact.seq);
    if (fact.type === 'call.completed') failures.delete(fact.step);
    if (fact.type === 'step.completed' && fact.inherited !== undefined) failures.delete(fact.step);
    if (fact.type === 'step.completed' && isOfTurns(fact.step)) continue;
    if (fact.type === 'step.completed' && !failures.has(fact.step))
      lastBuilt = Math.max(lastBuilt, startedAt.get(fact.step) ?? 0);
  }
  return [...failures].filter(([, seq]) => seq > lastBuilt).map(([step]) => step);
}
