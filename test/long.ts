/**
 * Whether tests run in their long form, with more seeds, kills and rounds. `npm run nightly` sets the
 * variable LONG for it; `npm test` runs the short form.
 */
export const LONG = Boolean(process.env.LONG);
