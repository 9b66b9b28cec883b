/**
 * What a stress round has shown of the role that was left out of it. The verifier says both what it saw of
 * each prediction and whether the role was missed: where the first does not bear the second out, code
 * believes neither "missed" nor "decorative".
 */
import type { FactOf } from '../facts.ts';

export type Absence = 'missed' | 'decorative' | 'unknown';

type Compared = Pick<FactOf<'stress.compared'>, 'observed' | 'decorative'>;

/** `predicted`: what had been predicted of the absence; each has to be answered before nothing was missed. */
export function absenceShown(
  { observed, decorative }: Compared,
  predicted: readonly string[] = [],
): Absence {
  if (observed.some(({ happened }) => happened !== 'no')) return 'missed';
  return decorative && observed.length >= predicted.length ? 'decorative' : 'unknown';
}

/** As a sentence. */
export const ABSENCE_WORDS: Readonly<Record<Absence, string>> = {
  missed: 'The absence showed.',
  decorative: 'Nothing was missed: the role may be decorative.',
  unknown: 'It is not shown whether anything was missed.',
};
