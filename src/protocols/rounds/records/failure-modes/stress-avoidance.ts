/** FM-7: planned stress rounds that were not held, or in which the absent role took part. */
import { formatCount } from '../../../../text/numbers.ts';
import { parseArtifactPath } from '../layout.ts';
import type { Records, StressPlan } from '../records.ts';
import { countStressTarget } from '../records.ts';
import { SMALLEST_BUDGET } from '../thresholds.ts';
import type { LeadEntry } from '../types.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/**
 * Detects failure mode 7: a planned stress round (without one of the roles) did not take place, the absent role took
 * part in one, or none was planned or held although there were enough rounds.
 */
export const stressAvoidance: Detector = ({ records, rounds }) => {
  const { leads, stressSchedule } = records;
  const held = leads.filter(({ is_stress }) => is_stress);
  const present = new Set(held.length === 0 ? [] : records.artifacts?.map(keyOf));
  const filled = held.find((lead) => isFilled(lead, records, present));
  if (filled !== undefined)
    return makeSuspected(
      `round ${filled.round} was a stress test, and ${who(filled)} produced an artifact`,
    );
  const over = rounds.at(-1)?.round ?? 0;
  const skipped = stressSchedule?.find(
    (plan) =>
      plan.round <= over &&
      !held.some(
        (lead) => lead.round === plan.round && (lead.absent_agent ?? plan.role) === plan.role,
      ),
  );
  if (skipped !== undefined)
    return makeSuspected(
      `round ${skipped.round} was to be held without the ${skipped.role}, and was not`,
    );
  if (held.length > 0)
    return makeClear(`${formatCount(held.length, 'stress test')} held, the absent role absent`);
  return noneHeld(records, rounds.length);
};

function noneHeld(
  { stressSchedule, budget, ...rest }: Records,
  rounds: number,
): ReturnType<Detector> {
  // A run needs one round led by each role, plus the stress rounds. A shorter run is not suspected of avoiding stress
  // rounds.
  const room = rest.roles.length + countStressTarget({ ...rest, stressSchedule, budget });
  if (stressSchedule !== undefined && stressSchedule.length > 0)
    return makeClear(`the first stress test is planned for round ${firstOf(stressSchedule)}`);
  if (stressSchedule !== undefined && Math.max(budget ?? 0, rounds) >= room)
    return makeSuspected('no stress test is planned');
  if (budget !== undefined && Math.max(budget, rounds) < room)
    return makeUnknown(
      `${formatCount(budget, 'round')} have no room for stress tests: it takes ${room}`,
    );
  if (rounds >= SMALLEST_BUDGET)
    return makeSuspected(`no stress test in ${formatCount(rounds, 'round')}`);
  return makeUnknown(
    `no plan is known, and no stress test in ${formatCount(rounds, 'round')}: it takes ${SMALLEST_BUDGET}`,
  );
}

/**
 * Returns whether the absent role of a stress round handed in an artifact. If the entry of the round does not name
 * the absent role, returns whether every role handed in an artifact.
 */
function isFilled(lead: LeadEntry, { roles }: Records, present: ReadonlySet<string>): boolean {
  const hasProduced = (role: string) => present.has(`${lead.round} ${role}`);
  return lead.absent_agent === null ? roles.every(hasProduced) : hasProduced(lead.absent_agent);
}

function keyOf(path: string): string {
  const artifact = parseArtifactPath(path);
  return artifact === undefined ? '' : `${artifact.round} ${artifact.role}`;
}

function firstOf(plan: readonly StressPlan[]): number {
  return plan.reduce((first, { round }) => Math.min(first, round), Infinity);
}

function who({ absent_agent }: LeadEntry): string {
  return absent_agent === null ? 'every role' : `the absent ${absent_agent}`;
}
