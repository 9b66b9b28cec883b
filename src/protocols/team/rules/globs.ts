/**
 * Which files a glob means, and whether two of them can mean the same. It stands in `src/text`, where the
 * workshop can commit by it: a lease that meant one thing here and another there would be none.
 */
export { fits, isPattern, isUnderstood, overlap } from '../../../text/globs.ts';
