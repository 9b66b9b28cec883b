/** How the progress of an evaluation is shown: in lines, or on a screen. */
import type { Listener } from './work.ts';

export interface EvaluationDisplay extends Listener {
  /** Called when the evaluation was stopped and finishes what it has begun. */
  stopping(): void;
  /** Called when the end is recorded. Resolves when the person has finished reading the report. */
  ended(): Promise<void>;
  /** Restores the terminal if the display has taken it over. */
  close(): Promise<void>;
}
