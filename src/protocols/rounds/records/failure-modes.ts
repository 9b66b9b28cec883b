/**
 * The eight known ways in which a deliberation goes wrong. They are watched during the run and
 * listed in the retrospective. Thresholds are those of the original method; the required amounts of
 * data are our own, so that healthy panels in short runs are not suspected.
 */
import { detectBypass } from './failure-modes/bypass.ts';
import { claimRate } from './failure-modes/claim-rate.ts';
import type { Detector, Evidence, Suspicion } from './failure-modes/detector.ts';
import { detectDomination } from './failure-modes/domination.ts';
import { detectDrift } from './failure-modes/drift.ts';
import { detectOverrun } from './failure-modes/overrun.ts';
import { detectPerformativeAttack } from './failure-modes/performative-attack.ts';
import { stressAvoidance } from './failure-modes/stress-avoidance.ts';
import { detectSycophancy } from './failure-modes/sycophancy.ts';

/**
 * The eight failure modes: known ways in which a deliberation goes wrong. Each has the function that detects it, and
 * the failure mode that usually occurs together with it, if there is one (`travelsWith`).
 */
export const FAILURE_MODES = [
  { id: 'FM-1', name: 'sycophancy-cascade', travelsWith: 'FM-6', detect: detectSycophancy },
  {
    id: 'FM-2',
    name: 'performative-attack',
    travelsWith: 'FM-5',
    detect: detectPerformativeAttack,
  },
  { id: 'FM-3', name: 'drift', travelsWith: 'FM-4', detect: detectDrift },
  { id: 'FM-4', name: 'domination', travelsWith: 'FM-3', detect: detectDomination },
  { id: 'FM-5', name: 'claim-inflation-or-starvation', travelsWith: 'FM-2', detect: claimRate },
  { id: 'FM-6', name: 'verification-bypass', travelsWith: 'FM-1', detect: detectBypass },
  { id: 'FM-7', name: 'stress-avoidance', travelsWith: undefined, detect: stressAvoidance },
  { id: 'FM-8', name: 'budget-overrun', travelsWith: undefined, detect: detectOverrun },
] as const satisfies readonly {
  id: string;
  name: string;
  travelsWith: string | undefined;
  detect: Detector;
}[];

/** The id of a failure mode: `FM-1` to `FM-8`. */
export type FailureModeId = (typeof FAILURE_MODES)[number]['id'];

/** A failure mode, and whether it is suspected. */
export interface FailureMode extends Suspicion {
  readonly id: FailureModeId;
  readonly name: string;
  /**
   * Another failure mode that usually occurs together with this one, if both are suspected; otherwise null.
   */
  readonly alongside: FailureModeId | null;
}

/** Checks the records for all eight failure modes, and returns each with its state, in the order of their ids. */
export function detectFailureModes(evidence: Evidence): FailureMode[] {
  const found = FAILURE_MODES.map((mode) => ({ mode, said: mode.detect(evidence) }));
  const under = found.flatMap(({ mode, said }) => (said.state === 'suspected' ? [mode.id] : []));
  return found.map(({ mode: { id, name, travelsWith }, said }) => ({
    id,
    name,
    ...said,
    alongside:
      said.state === 'suspected' && under.some((suspectedId) => suspectedId === travelsWith)
        ? (travelsWith ?? null)
        : null,
  }));
}
