/** What a detector is given, and what it may say. */
import type { Tally } from '../timeline.ts';
import type { Records } from '../types.ts';

export interface Evidence {
  /** Claims at their latest status. */
  readonly records: Records;
  readonly rounds: readonly Tally[];
  /** Stopping signals satisfied, of six. */
  readonly satisfied: number;
}

export interface Suspicion {
  /** `unknown`: too little has been seen to say either; `why` tells how much it takes. */
  readonly state: 'suspected' | 'clear' | 'unknown';
  readonly why: string;
}

export type Detector = (evidence: Evidence) => Suspicion;

export const suspected = (why: string): Suspicion => ({ state: 'suspected', why });
export const clear = (why: string): Suspicion => ({ state: 'clear', why });
export const unknown = (why: string): Suspicion => ({ state: 'unknown', why });
