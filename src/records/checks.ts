/** Which of the checks can be made in a round: a check needs the artifacts that it compares. */
import type { Check, Role } from './types.ts';

const NEEDS: Readonly<Record<Check, readonly Role[]>> = {
  critic_attack_on_action_trace: ['critic', 'action'],
  guardian_vs_observer_walkthrough: ['guardian', 'observer'],
  observer_friction_vs_critic_attack: ['observer', 'critic'],
  // Compares whatever artifacts there are.
  all_vs_prior_decisions: [],
  // Compares no artifacts at all.
  executed_test: [],
};

export function needs(check: Check, role: Role): boolean {
  return NEEDS[check].includes(role);
}

/** Why a check has to be NOT_APPLICABLE, undefined where it can be made. */
export function whyNotApplicable(
  check: Check,
  round: number,
  absent: Role | null,
): string | undefined {
  if (absent !== null && needs(check, absent)) return `stress test: ${absent} absent`;
  if (check === 'all_vs_prior_decisions' && round === 1) return 'round 1: no decision before it';
  return undefined;
}
