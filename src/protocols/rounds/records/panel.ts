/** Counts of leads and absences. */
import type { Records, Role } from './types.ts';

/**
 * Returns how often each role has led a round, in the order of the roles.
 * @param withStress whether to count rounds from which a role was left out on purpose
 */
export function countLeads({ leads, roles }: Records, withStress: boolean): number[] {
  const led = leads.filter(({ is_stress }) => withStress || !is_stress).map(({ lead }) => lead);
  return roles.map((role) => led.filter((lead) => lead === role).length);
}

/** Returns the roles whose absence was tried in a stress round. */
export function findStressedRoles({ leads, roles }: Records): Role[] {
  const absent = new Set(leads.filter(({ is_stress }) => is_stress).map((one) => one.absent_agent));
  return roles.filter((role) => absent.has(role));
}

/**
 * Returns how many roles should be left out of a round once, to see what is missing without them:
 * all but one. The importance of the last role becomes visible when the others are absent.
 */
export function countStressTarget({ roles }: Records): number {
  return Math.max(1, roles.length - 1);
}
