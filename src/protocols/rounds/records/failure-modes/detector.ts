/** The inputs and results of detectors of failure modes. */

import type { Records } from '../records.ts';
import type { Tally } from '../timeline.ts';

/** The data from which failure modes are detected. */
export interface Evidence {
  /** The records, with every claim at its latest status. */
  readonly records: Records;
  /** The counts of each round. */
  readonly rounds: readonly Tally[];
  /** The number of satisfied stopping signals, of six. */
  readonly satisfied: number;
}

/** The result of a detector. */
export interface Suspicion {
  /**
   * Whether the failure mode is suspected. `makeUnknown` means that there is too little data; `why`
   * says how much is needed.
   */
  readonly state: 'suspected' | 'clear' | 'unknown';
  readonly why: string;
}

/** Detects one failure mode. */
export type Detector = (evidence: Evidence) => Suspicion;

/** Makes the result of a detector that suspects its failure mode. */
export const makeSuspected = (why: string): Suspicion => ({ state: 'suspected', why });
/** Makes the result of a detector that found nothing. */
export const makeClear = (why: string): Suspicion => ({ state: 'clear', why });
/** Makes the result of a detector that has too little data. */
export const makeUnknown = (why: string): Suspicion => ({ state: 'unknown', why });
