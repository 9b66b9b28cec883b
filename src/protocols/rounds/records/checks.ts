/** Which roles' artifacts a check compares: it can be made where there are all, and has to cite each. */
import type { Check, Role } from './types.ts';

/**
 * The roles whose artifacts each check compares. Empty if a check compares no artifacts of certain
 * roles.
 */
export const SIDES: Readonly<Record<Check, readonly Role[]>> = {
  critic_attack_on_action_trace: ['critic', 'action'],
  guardian_vs_observer_walkthrough: ['guardian', 'observer'],
  observer_friction_vs_critic_attack: ['observer', 'critic'],
  // This check compares the artifacts of all present roles.
  all_vs_prior_decisions: [],
  // These entries compare no artifacts.
  executed_test: [],
  settled_by_reading: [],
  conceded: [],
};

/** Returns whether a check compares the artifact of a role. */
export function needs(check: Check, role: Role): boolean {
  return SIDES[check].includes(role);
}
