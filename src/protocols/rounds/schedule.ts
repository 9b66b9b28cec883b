/** Rules for which role leads a round and which role is left out. Pure. */
import type { RoleName } from './fold.ts';
import { ROLES } from './records/types.ts';

/** The named numbers of rounds. */
export const BUDGETS = { brief: 3, standard: 8, audit: 13 } as const;

/** The fewest rounds that the method recommends. */
export const MINIMUM_ROUNDS = 8;

/** The role that is left out of a round, by the number of the round. */
type StressSchedule = Readonly<Record<number, RoleName>>;

/**
 * Returns the default stress rounds, in which a role is left out. The plans are those of the method
 * for 13 and 8 rounds; other numbers get the longer plan that fits.
 */
export function getDefaultStress(rounds: number): StressSchedule {
  if (rounds >= BUDGETS.audit) return { 5: 'critic', 10: 'guardian', 12: 'action', 13: 'observer' };
  if (rounds >= BUDGETS.standard - 1) return { 3: 'critic', 5: 'guardian', 7: 'action' };
  return {};
}

/**
 * Returns the role that is left out of a round, or undefined. A person's order counts first;
 * `ordered` is null if nobody should be absent. Then the plan counts, then the response to a
 * failure mode.
 */
export function getAbsentRole({
  ordered,
  planned,
  answering,
}: {
  readonly ordered: RoleName | null | undefined;
  readonly planned: RoleName | undefined;
  readonly answering: RoleName | undefined;
}): RoleName | undefined {
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
 * Returns the role that leads the next round: the one that has led least often, but never the
 * absent one. Signal 3 asks every role to lead a round without an absent role, too. Of equal roles,
 * a round without an absent role therefore gets the one that has led fewest such rounds, a stress
 * round the one that has led most; then the order of roles decides.
 * @param past the leads of all rounds so far
 * @param plain the leads of the rounds without an absent role
 */
export function chooseNextLead(
  past: readonly RoleName[],
  absent: RoleName | undefined,
  plain: readonly RoleName[] = past,
): RoleName {
  const led = (role: RoleName): number => past.filter((one) => one === role).length;
  const ledPlain = (role: RoleName): number => plain.filter((one) => one === role).length;
  const turn = absent === undefined ? 1 : -1;
  const [first] = ROLES.filter((role) => role !== absent).sort(
    (left, right) => led(left) - led(right) || turn * (ledPlain(left) - ledPlain(right)),
  );
  if (first === undefined) throw new Error('nobody can lead');
  return first;
}
