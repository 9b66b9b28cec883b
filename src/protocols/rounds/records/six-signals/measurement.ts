/** The names of the six stopping signals, in order. */
export const SIGNAL_NAMES = [
  'refutation-rate',
  'disagreement-slope',
  'lead-coverage',
  'stress-tests',
  'drift-checks',
  'pending-claims',
] as const;
/** The name of a stopping signal. */
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** The measurement of one stopping signal. */
export interface Measurement {
  /**
   * Whether the signal is satisfied. `uninformative` means that the signal cannot be measured, such as
   * for too few rounds or claims, or that the planned rounds are too few to satisfy it.
   */
  readonly state: 'satisfied' | 'unsatisfied' | 'uninformative';
  /** The measured value. Null if nothing could be measured. */
  readonly value: number | null;
  /** The value with which `value` is compared. Null if nothing could be measured. */
  readonly threshold: number | null;
  readonly why: string;
}

/** Makes the measurement of a signal that has nothing to measure. */
export function makeUninformative(why: string): Measurement {
  return { state: 'uninformative', value: null, threshold: null, why };
}
