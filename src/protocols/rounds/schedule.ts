/** Who leads, and which rounds do without whom: pure rules over rounds that are known. */
import type { RoleName } from './fold.ts';
import { ROLES } from './records/types.ts';

export const BUDGETS = { brief: 3, standard: 8, audit: 13 } as const;

/** Fewer rounds than this are below what the method asks for. */
export const MINIMUM_ROUNDS = 8;

/** Round → the role that is absent from it. */
type StressSchedule = Readonly<Record<number, RoleName>>;

/**
 * The method's schedules: audit R5, R10, R12, R13 and standard R3, R5, R7. Other budgets take the
 * longest of the two that fits.
 */
export function defaultStress(rounds: number): StressSchedule {
  if (rounds >= BUDGETS.audit) return { 5: 'critic', 10: 'guardian', 12: 'action', 13: 'observer' };
  if (rounds >= BUDGETS.standard - 1) return { 3: 'critic', 5: 'guardian', 7: 'action' };
  return {};
}

/**
 * The role that a round goes without: as a person ordered, who may want nobody absent; else as planned;
 * else as an answer to a suspected failure mode wants it.
 */
export function absentRole({
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

/** Drift is checked every so many rounds: 5, and 3 where there are fewer than an audit has. */
export function defaultDriftInterval(rounds: number): number {
  return rounds >= BUDGETS.audit ? 5 : 3;
}

/**
 * The role that has led least often so far, never the absent one. Ties: every role is to lead a round
 * without a stress test too (signal 3 asks for it), so such a round goes to whoever has led fewest of
 * them, and a stress round to whoever has led most; then by the order of roles. `past` are the leads of
 * all rounds, `plain` of those without a stress test.
 */
export function nextLead(
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
