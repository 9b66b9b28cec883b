/**
 * What a stress round shows about the absent role. The verifier reports on each prediction and says
 * whether the role was missed. If the two do not agree, the result is unknown.
 */
import type { FactOf } from '../facts.ts';

/**
 * What a round without one role shows about this role: it was missed, it is decorative (nothing was
 * worse without it), or unknown.
 */
export type Absence = 'missed' | 'decorative' | 'unknown';

type Compared = Pick<FactOf<'stress.compared'>, 'observed' | 'decorative'>;

/**
 * Returns what a round without one role shows about this role.
 * @param predicted what was predicted to change without the role; the role only counts as
 * decorative if the verifier has reported on each prediction
 */
export function deriveAbsence(
  { observed, decorative }: Compared,
  predicted: readonly string[] = [],
): Absence {
  if (observed.some(({ happened }) => happened !== 'no')) return 'missed';
  return decorative && observed.length >= predicted.length ? 'decorative' : 'unknown';
}

/** A sentence for each result of a round from which a role was left out. */
export const ABSENCE_WORDS: Readonly<Record<Absence, string>> = {
  missed: 'The absence showed.',
  decorative: 'Nothing was missed: the role may be decorative.',
  unknown: 'It is not shown whether anything was missed.',
};
