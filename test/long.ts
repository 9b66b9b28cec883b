/**
 * Some tests have a long form: more seeds, more kills, more rounds. `npm test` runs the short one,
 * `npm run nightly`, which sets LONG, the long one.
 */
export const LONG = Boolean(process.env.LONG);
