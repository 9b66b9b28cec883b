/** Who led and who was absent. */
import type { Records, Role } from './types.ts';

/** How often each role led, in the panel's order; stress rounds count only if asked for. */
export function leadCounts({ leads, roles }: Records, withStress: boolean): number[] {
  const led = leads.filter(({ is_stress }) => withStress || !is_stress).map(({ lead }) => lead);
  return roles.map((role) => led.filter((lead) => lead === role).length);
}

/** The roles whose absence has been tried. */
export function stressedRoles({ leads, roles }: Records): Role[] {
  const absent = new Set(leads.filter(({ is_stress }) => is_stress).map((one) => one.absent_agent));
  return roles.filter((role) => absent.has(role));
}

/** Stress tests that a run owes: all roles but one, whose weight shows when the others are absent. */
export function stressTarget({ roles }: Records): number {
  return Math.max(1, roles.length - 1);
}
