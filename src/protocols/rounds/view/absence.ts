/**
 * What a stress round has shown of the role that was left out of it. The verifier says both what it saw of
 * each prediction and whether the role was missed: where the first does not bear the second out, code
 * believes neither "missed" nor "decorative".
 */
import type { FactOf } from '../facts.ts';

/**
 * What a stress round shows about the absent role: it was missed, it is decorative (nobody missed
 * it), or unknown.
 */
export type Absence = 'missed' | 'decorative' | 'unknown';

type Compared = Pick<FactOf<'stress.compared'>, 'observed' | 'decorative'>;

/**
 * Returns what a stress round shows about the absent role.
 * @param predicted the predictions for the absence; nothing counts as decorative unless each has an
 * answer
 */
export function absenceShown(
  { observed, decorative }: Compared,
  predicted: readonly string[] = [],
): Absence {
  if (observed.some(({ happened }) => happened !== 'no')) return 'missed';
  return decorative && observed.length >= predicted.length ? 'decorative' : 'unknown';
}

/** A sentence for each result of a stress round. */
export const ABSENCE_WORDS: Readonly<Record<Absence, string>> = {
  missed: 'The absence showed.',
  decorative: 'Nothing was missed: the role may be decorative.',
  unknown: 'It is not shown whether anything was missed.',
};
