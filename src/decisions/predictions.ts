/** How many predictions a run can be asked for, and which of its steps are about them. */

export const MOST_PREDICTIONS = 10;
/** How many are asked for where nobody says. */
export const USUAL_PREDICTIONS = 3;

/** Returns whether a step is one of the phase that makes predictions, in whatever scope of its run. */
export function isPredictionStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\//.test(step);
}

/** Returns whether a step asks for drafts of predictions. */
export function isDraftStep(step: string): boolean {
  return /(?:^|\/)predictions\/\d+\/drafts/.test(step);
}

/** What a call of that phase is for, as it is said behind the seat's name; empty for any other step. */
export function predictionPurpose(step: string): string {
  if (!isPredictionStep(step)) return '';
  return isDraftStep(step) ? ' for predictions' : ' for its probabilities';
}
