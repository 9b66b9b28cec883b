/** Counts the calls that a debate still makes. */
import { type CallsLeft, leftOf } from '../../kernel/time-left.ts';
import type { RunView } from '../../kernel/view.ts';
import { plannedCallsSchema } from './config.ts';

/**
 * Returns the calls that are left of those that were estimated before the debate began; undefined if its method was
 * chosen later, and for debates of versions that did not record the number.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const planned = plannedCallsSchema.safeParse(view.config.plannedCalls).data;
  return planned && leftOf(planned, view);
}
