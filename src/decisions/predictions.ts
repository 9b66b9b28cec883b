/** The names of tasks and steps that make predictions, and limits on their number. */

/**
 * The name of the task of calls that draft predictions. The name also decides how the answers are
 * formatted for people.
 */
export const DRAFT_TASK = 'decision/draft';
/** The name of the task of calls that ask for probabilities. */
export const FORECAST_TASK = 'decision/forecast';

/**
 * The version of the prompts and checks for predictions. A run records the version that it began
 * with, so that a resumed run asks the same. Version 2 also reads text below a heading such as "What
 * would change my mind" as a statement of what would change an answer, and it refuses drafts for more
 * reasons.
 */
export const EDITION = 2;

/** The largest number of predictions of a run. */
export const MOST_PREDICTIONS = 10;
/** The default number of predictions. */
export const USUAL_PREDICTIONS = 3;

/** Returns whether a step belongs to the making of predictions, whatever prefix its key has. */
export function isPredictionStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\//.test(step);
}

/** Returns whether a step asks for drafts of predictions. */
export function isDraftStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\/drafts/.test(step);
}

/**
 * Describes what a call of a step about predictions is for, in words to show after the seat's name.
 * Returns an empty text for any other step.
 */
export function predictionPurpose(step: string): string {
  if (!isPredictionStep(step)) return '';
  return isDraftStep(step) ? ' for predictions' : ' for its probabilities';
}
