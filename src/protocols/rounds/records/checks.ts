/**
 * The roles whose artifacts a check compares. The check needs all of these artifacts, and its
 * verdict must cite each.
 */
import type { Check, Role } from './types.ts';

/**
 * The roles whose artifacts each check compares. The list is empty for checks that compare no
 * particular roles: check 4 compares all present roles, and readings, tests and withdrawals compare
 * no artifacts.
 */
export const COMPARED_ROLES: Readonly<Record<Check, readonly Role[]>> = {
  critic_attack_on_action_trace: ['critic', 'action'],
  guardian_vs_observer_walkthrough: ['guardian', 'observer'],
  observer_friction_vs_critic_attack: ['observer', 'critic'],
  // Check 4 compares the artifacts of a round with the decisions of earlier rounds.
  all_vs_prior_decisions: [],
  executed_test: [],
  settled_by_reading: [],
  conceded: [],
};

/** Returns whether a check compares the artifact of this role with that of another role. False for check 4. */
export function comparesRole(check: Check, role: Role): boolean {
  return COMPARED_ROLES[check].includes(role);
}
