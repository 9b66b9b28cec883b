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

/** Whether a failure mode is suspected, as a detector found. */
export interface Suspicion {
  /** Whether the failure mode is suspected; `unknown` if there is too little data. */
  readonly state: 'suspected' | 'clear' | 'unknown';
  /** The reason for the state; for `unknown`, how much data is needed. */
  readonly why: string;
}

/** Detects one failure mode. */
export type Detector = (evidence: Evidence) => Suspicion;

/** Makes the result that a failure mode is suspected, for the reason `why`. */
export const makeSuspected = (why: string): Suspicion => ({ state: 'suspected', why });
/** Makes the result that a failure mode is not suspected, for the reason `why`. */
export const makeClear = (why: string): Suspicion => ({ state: 'clear', why });
/** Makes the result that there is too little data to detect a failure mode; `why` says how much is needed. */
export const makeUnknown = (why: string): Suspicion => ({ state: 'unknown', why });
