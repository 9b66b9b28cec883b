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
 * Returns how many roles should be left out of a round at least once, to see what is missing
 * without them. This is one less than the number of roles, at least 1; the last role's contribution
 * shows in the rounds without the others.
 */
export function countStressTarget({ roles }: Records): number {
  return Math.max(1, roles.length - 1);
}
