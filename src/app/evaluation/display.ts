/** How the progress of an evaluation is shown: in lines, or on a screen. */
import type { Listener } from './work.ts';

/** Shows an evaluation that is under way. */
export interface EvaluationDisplay extends Listener {
  /** Shows that the evaluation was stopped and only finishes what it has begun. */
  stopping(): void;
  /** On a screen, shows the report and resolves when the person has left. Otherwise resolves at once. */
  ended(): Promise<void>;
  /** Restores the terminal. */
  close(): Promise<void>;
}
