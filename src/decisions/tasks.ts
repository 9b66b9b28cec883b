/** What calls of this room are for, as requests name it. */
export const DRAFT_TASK = 'decision/draft';
export const FORECAST_TASK = 'decision/forecast';
