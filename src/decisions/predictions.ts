/** The names of tasks and steps that make predictions, and limits on their number. */

/** Task names of the model calls in this folder. */
export const DRAFT_TASK = 'decision/draft';
export const FORECAST_TASK = 'decision/forecast';

/**
 * The edition of the prompts and checks of this phase. A run records the edition that it began with and keeps
 * it, so that a resumed run asks what it asked before. 2: the pieces of an answer that say what would change it
 * are found below headings too, and drafts are refused for more reasons.
 */
export const EDITION = 2;

export const MOST_PREDICTIONS = 10;
/** The default number of predictions. */
export const USUAL_PREDICTIONS = 3;

/** Returns whether a step belongs to the prediction phase, in whatever scope of its run. */
export function isPredictionStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\//.test(step);
}

/** Returns whether a step asks for drafts of predictions. */
export function isDraftStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\/drafts/.test(step);
}

/**
 * Returns what a call of the prediction phase is for, in words to show after the seat's name; empty for any
 * other step.
 */
export function predictionPurpose(step: string): string {
  if (!isPredictionStep(step)) return '';
  return isDraftStep(step) ? ' for predictions' : ' for its probabilities';
}
