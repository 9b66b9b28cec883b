/** Which of the checks can be made in a round: a check needs the artifacts that it compares. */
import type { Check, Role } from './types.ts';

const NEEDS: Readonly<Record<Check, readonly Role[]>> = {
  critic_attack_on_action_trace: ['critic', 'action'],
  guardian_vs_observer_walkthrough: ['guardian', 'observer'],
  observer_friction_vs_critic_attack: ['observer', 'critic'],
  // Compares whatever artifacts there are.
  all_vs_prior_decisions: [],
  // These compare no artifacts at all.
  executed_test: [],
  settled_by_reading: [],
  conceded: [],
};

export function needs(check: Check, role: Role): boolean {
  return NEEDS[check].includes(role);
}
