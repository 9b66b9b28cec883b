/** What a signal has measured. */

export interface Reading {
  /** `uninformative`: there is nothing to measure yet, or this budget can never show it. */
  readonly state: 'satisfied' | 'unsatisfied' | 'uninformative';
  readonly value: number | null;
  readonly threshold: number | null;
  readonly why: string;
}

export function nothing(why: string): Reading {
  return { state: 'uninformative', value: null, threshold: null, why };
}
