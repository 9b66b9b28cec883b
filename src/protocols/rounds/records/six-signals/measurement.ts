/** The six signals by name, and what one of them has measured. */

export const SIGNAL_NAMES = [
  'refutation-rate',
  'disagreement-slope',
  'lead-coverage',
  'stress-tests',
  'drift-checks',
  'pending-claims',
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

export interface Measurement {
  /** `uninformative`: there is nothing to measure yet, or this budget can never show it. */
  readonly state: 'satisfied' | 'unsatisfied' | 'uninformative';
  readonly value: number | null;
  readonly threshold: number | null;
  readonly why: string;
}

export function nothing(why: string): Measurement {
  return { state: 'uninformative', value: null, threshold: null, why };
}
