/**
 * Signals that the planned number of rounds cannot satisfy. Three rounds cannot have four leads;
 * calling this "unsatisfied" would blame the panel for its plan.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { Records } from '../records.ts';
import { countStressTarget, findStressedRoles } from '../records.ts';
import { ROUNDS_FOR_A_PEAK, WINDOW } from '../thresholds.ts';
import { listFinishedRounds } from '../timeline.ts';

type Bounded =
  | 'refutation-rate'
  | 'disagreement-slope'
  | 'lead-coverage'
  | 'stress-tests'
  | 'drift-checks';

/**
 * Explains why a signal cannot be satisfied in the planned number of rounds. Returns undefined if
 * the signal can be satisfied, or if no number of rounds is planned.
 */
export function explainOutOfReach(signal: Bounded, records: Records): string | undefined {
  if (records.budget === undefined) return undefined;
  // If more rounds were held than planned, compare with their number: a person has allowed the additional rounds.
  const rounds = Math.max(records.budget, listFinishedRounds(records).length);
  const reason = REASONS[signal](records, rounds);
  return reason === undefined
    ? undefined
    : `out of reach in ${formatCount(rounds, 'round')}: ${reason}`;
}

const REASONS: Readonly<Record<Bounded, (records: Records, rounds: number) => string | undefined>> =
  {
    'refutation-rate': (_, rounds) =>
      rounds < ROUNDS_FOR_A_PEAK ? `a peak takes ${ROUNDS_FOR_A_PEAK}` : undefined,
    'disagreement-slope': (_, rounds) => (rounds < WINDOW ? `a slope takes ${WINDOW}` : undefined),
    'lead-coverage': ({ roles, stressSchedule = [] }, rounds) => {
      const plain = rounds - new Set(stressSchedule.map(({ round }) => round)).size;
      return plain < roles.length
        ? `${formatCount(roles.length, 'role')} cannot all lead ${formatCount(plain, 'round')} without a stress test`
        : undefined;
    },
    'stress-tests': (records, rounds) => {
      const wanted = countStressTarget(records);
      const planned = records.stressSchedule?.map(({ role }) => role);
      const possible =
        planned === undefined ? rounds : new Set([...planned, ...findStressedRoles(records)]).size;
      return possible < wanted
        ? `${formatCount(possible, 'stress test')} planned, ${wanted} wanted`
        : undefined;
    },
    'drift-checks': ({ driftEvery, drifts }, rounds) =>
      driftEvery !== undefined && driftEvery > rounds && drifts.length === 0
        ? `a drift check comes every ${formatCount(driftEvery, 'round')}`
        : undefined,
  };
