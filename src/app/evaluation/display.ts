/** How an evaluation is shown while it goes on: in lines, or on a screen. */
import type { Listener } from './work.ts';

export interface EvaluationDisplay extends Listener {
  /** It was stopped: what has begun is finished. */
  stopping(): void;
  /** Its end is on record. Resolves when the person has read enough of the report. */
  ended(): Promise<void>;
  /** Puts the terminal back, where it was taken. */
  close(): Promise<void>;
}
