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
  // The list is empty because this check, number 4, compares no roles with each other: it compares the artifacts of all
  // present roles with earlier decisions.
  all_vs_prior_decisions: [],
  // Tests by a command, readings and withdrawals compare no artifacts.
  executed_test: [],
  settled_by_reading: [],
  conceded: [],
};

/** Returns whether a check compares the artifact of this role with that of another role. False for check 4. */
export function comparesRole(check: Check, role: Role): boolean {
  return COMPARED_ROLES[check].includes(role);
}
