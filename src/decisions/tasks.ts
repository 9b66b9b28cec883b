/** Task names of the model calls in this folder. */
export const DRAFT_TASK = 'decision/draft';
export const FORECAST_TASK = 'decision/forecast';
