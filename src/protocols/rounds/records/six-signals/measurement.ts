/** The names of the six signals, in order. */

export const SIGNAL_NAMES = [
  'refutation-rate',
  'disagreement-slope',
  'lead-coverage',
  'stress-tests',
  'drift-checks',
  'pending-claims',
] as const;
/** The name of a signal. */
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** The measurement of one signal. */
export interface Measurement {
  /**
   * Whether the signal is satisfied. `uninformative` means that there is nothing to measure yet, or
   * that the planned rounds are too few.
   */
  readonly state: 'satisfied' | 'unsatisfied' | 'uninformative';
  readonly value: number | null;
  readonly threshold: number | null;
  readonly why: string;
}

/** Makes the measurement of a signal that has nothing to measure. */
export function makeUninformative(why: string): Measurement {
  return { state: 'uninformative', value: null, threshold: null, why };
}
