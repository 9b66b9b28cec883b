/**
 * Estimates the calls and tokens of a method, and checks whether a panel has the seats that the
 * method needs.
 */

import { type CallsLeft, countLeft } from '../../kernel/attempt/time-left.ts';
import { ANSWER_TOKENS, type PlannedCalls, planCalls } from '../../kernel/estimate.ts';
import type { Seat } from '../../kernel/model.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { RunView } from '../../kernel/view.ts';
import { toSeatDefinition } from '../../sdk/config.ts';
import { type AnyDefinition, MOST_SEATS } from '../../sdk/define.ts';
import { SHARE } from '../common/asking/asking.ts';
import { plannedCallsSchema } from './config.ts';

/**
 * How many tokens a prompt has in addition to the question: `low` if it contains only the task,
 * `high` if it also contains the texts of other seats. The numbers were measured in rehearsals of
 * all methods.
 */
export const TASK = { low: 200, high: 1_800 };

/**
 * Estimates the calls and tokens of each seat in a debate. Calls are distributed evenly among the
 * seats, because only the debate itself shows how often each seat is asked.
 * @param looks whether seats other than the judge may use tools before they answer
 * @param attached tokens of the attached documents, which every prompt contains
 */
export function estimateMethod(
  definition: AnyDefinition,
  settings: Record<string, unknown>,
  seats: readonly Pick<Seat, 'id' | 'role' | 'title' | 'model'>[],
  question: string,
  looks = false,
  attached = 0,
): PlannedCalls[] {
  const read = definition.settings?.parse(settings) ?? {};
  const [low, high] = definition.calls?.(
    read,
    seats.map(({ id }) => id),
  ) ?? [seats.length, seats.length];
  const words = estimateTokens(question) + attached;
  const computeShare = (calls: number, index: number): number =>
    Math.floor(calls / seats.length) + (index < calls % seats.length ? 1 : 0);
  return seats.map(({ id, role, title, model }, index) =>
    planCalls(id, title, model, [
      {
        calls: {
          low: computeShare(low, index),
          high: computeShare(high, index) * (looks && role !== 'judge' ? SHARE.turns : 1),
        },
        prompt: {
          low: words + TASK.low,
          high: words + TASK.high + (looks && role !== 'judge' ? SHARE.tokens : 0),
        },
        answer: ANSWER_TOKENS,
      },
    ]),
  );
}

/** Returns those seats of the panel whose role the method uses. */
export function selectSeats<S extends Pick<Seat, 'role'>>(
  { seats }: AnyDefinition,
  panel: readonly S[],
): S[] {
  return panel.filter(({ role }) => Object.hasOwn(seats, role));
}

/**
 * Says for which role the panel has too few or too many seats for the method, such as `it needs at least 2
 * of seat, not 1`. Returns undefined if the panel suits the method.
 */
export function describeUnfitSeats(
  { seats }: AnyDefinition,
  panel: readonly Pick<Seat, 'role'>[],
): string | undefined {
  for (const [role, seat] of Object.entries(seats)) {
    const { least = 1, most = MOST_SEATS } = toSeatDefinition(seat).many ?? {};
    const count = panel.filter((member) => member.role === role).length;
    if (count < least) return `it needs at least ${least} of ${role}, not ${count}`;
    if (count > most) return `it takes at most ${most} of ${role}, not ${count}`;
  }
  return undefined;
}

/**
 * Returns how many of the calls that were estimated before the debate are still to come. Undefined if the
 * settings contain no estimate, such as in old runs or if the method was chosen only during the run. Also undefined
 * once as many calls have ended as were estimated at most.
 */
export function countCallsLeft(view: RunView): CallsLeft | undefined {
  const planned = plannedCallsSchema.safeParse(view.config.plannedCalls).data;
  return planned && countLeft(planned, view);
}
