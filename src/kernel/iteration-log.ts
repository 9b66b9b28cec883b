/** The iteration log of a run: what its calibration revealed, and what people noted. */
import { line } from '../text/line.ts';
import { UsageError } from './errors.ts';
import { type FactOf, fact, MAX_ITERATION_LENGTH } from './facts.ts';

/**
 * Makes the fact of a person's line in the iteration log: without controls, and in one line.
 *
 * @throws UsageError where nothing can be read of it, or it is too long
 */
export function iterationNoted(text: string): FactOf<'iteration.noted'> {
  const clean = line(text).trim();
  if (!/[\p{L}\p{N}]/u.test(clean)) throw new UsageError('the line has no words');
  if (clean.length > MAX_ITERATION_LENGTH)
    throw new UsageError(
      `the line has ${clean.length} characters; the most are ${MAX_ITERATION_LENGTH}`,
      'Shorten it, or add several.',
    );
  return fact('iteration.noted', { text: clean });
}
