/** Rules for which role leads a round and which role is left out. Pure. */

import { ROLES, type Role } from './records/types.ts';

/** The numbers of rounds that a person can choose by name, as in `--rounds brief`. */
export const BUDGETS = { brief: 3, standard: 8, audit: 13 } as const;

/** The fewest rounds that the method recommends. */
export const MINIMUM_ROUNDS = 8;

/** The role that is left out of a round, by the number of the round. */
type StressSchedule = Readonly<Record<number, Role>>;

/**
 * Returns the default plan for leaving out roles, by the number of the round. The original method
 * has plans for 13 and for 8 rounds. Another number of rounds gets the longest plan that fits into
 * it, or an empty one.
 */
export function getDefaultStress(rounds: number): StressSchedule {
  if (rounds >= BUDGETS.audit) return { 5: 'critic', 10: 'guardian', 12: 'action', 13: 'observer' };
  if (rounds >= BUDGETS.standard - 1) return { 3: 'critic', 5: 'guardian', 7: 'action' };
  return {};
}

/**
 * Returns the role that is left out of a round, or undefined if none is. A person's order counts
 * first, then the plan, then the response to a suspected failure mode.
 * @param ordered the role that a person wants left out; null if the person wants nobody left out;
 * undefined if no person gave an order
 * @param planned the role that the plan leaves out of this round, if any
 * @param answering the role that the response to a suspected failure mode leaves out, if any
 */
export function getAbsentRole({
  ordered,
  planned,
  answering,
}: {
  readonly ordered: Role | null | undefined;
  readonly planned: Role | undefined;
  readonly answering: Role | undefined;
}): Role | undefined {
  return ordered === undefined ? (planned ?? answering) : (ordered ?? undefined);
}

/**
 * Returns the default number of rounds between drift checks: 5, or 3 if fewer than 13 rounds are
 * planned.
 */
export function getDefaultDriftInterval(rounds: number): number {
  return rounds >= BUDGETS.audit ? 5 : 3;
}

/**
 * Returns the role that leads the next round: of the roles that take part, the one that has led
 * least often. If several have, their leads of full rounds (rounds without an absent role) decide:
 * before a full round the role with the fewest of them leads, before a stress round the role with
 * the most. If that decides nothing either, the first role in the order of `ROLES` leads.
 * @param past the leads of all rounds so far
 * @param absent the role that is left out of the next round; undefined before a full round
 * @param plain the leads of the full rounds among them
 */
export function chooseNextLead(
  past: readonly Role[],
  absent: Role | undefined,
  plain: readonly Role[] = past,
): Role {
  const countLeads = (role: Role): number => past.filter((lead) => lead === role).length;
  const countPlainLeads = (role: Role): number => plain.filter((lead) => lead === role).length;
  const turn = absent === undefined ? 1 : -1;
  const [first] = ROLES.filter((role) => role !== absent).sort(
    (left, right) =>
      countLeads(left) - countLeads(right) ||
      turn * (countPlainLeads(left) - countPlainLeads(right)),
  );
  if (first === undefined) throw new Error('nobody can lead');
  return first;
}
