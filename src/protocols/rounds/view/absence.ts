/**
 * What a stress round shows about the absent role. The verifier reports on each prediction and says
 * whether the round looks as if the role had been present.
 */
import type { FactOf } from '../facts.ts';

/**
 * What a stress round shows about the role that was left out.
 * - `missed`: a predicted effect of its absence occurred, at least partly
 * - `decorative`: no such effect occurred, and the verifier says that the round looks as if the role
 *   had been present
 * - `unknown`: the round shows neither
 */
export type Absence = 'missed' | 'decorative' | 'unknown';

type Compared = Pick<FactOf<'stress.compared'>, 'observed' | 'decorative'>;

/**
 * Returns what a stress round shows about the role that was left out, from the verifier's report. The
 * report has an entry for each predicted effect (`observed`) and says whether the role seems
 * superfluous (`decorative`). An effect that occurred, at least partly, makes the result `missed`,
 * whatever `decorative` says.
 * @param predicted the predicted effects of the absence; the result is `decorative` only if the
 * report has at least as many entries
 */
export function deriveAbsence(
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
