/**
 * A seat's scores of one criterion held against the options that it named best and worst there. Seats
 * turn scales around ("cost: 9" for the dearest); two words of theirs show it where numbers cannot.
 */

export interface ScoredCriterion {
  readonly criterion: string;
  /** By option; more is better. */
  readonly scores: ReadonlyMap<string, number>;
  readonly best: string;
  readonly worst: string;
}

export interface ScoreCheck {
  readonly criterion: string;
  /**
   * `turned`: the best has less than the worst, so the scale was read upside down.
   * `differs`: another option has more than the best, or less than the worst.
   * `unclear`: best and worst are one option, or have no score.
   */
  readonly finding: 'agrees' | 'turned' | 'differs' | 'unclear';
  /** Options that have more than the best, or less than the worst; by score. */
  readonly against: readonly string[];
}

/** Whoever does not agree is asked again, and shown as found where it stays so. */
export function checkScores({ criterion, scores, best, worst }: ScoredCriterion): ScoreCheck {
  const [top, bottom] = [scores.get(best), scores.get(worst)];
  if (top === undefined || bottom === undefined || best === worst)
    return { criterion, finding: 'unclear', against: [] };
  const against = [...scores]
    .filter(([option, score]) =>
      option === best
        ? score < bottom
        : option === worst
          ? score > top
          : score > top || score < bottom,
    )
    .sort(([, left], [, right]) => left - right)
    .map(([option]) => option);
  const finding = top < bottom ? 'turned' : against.length > 0 ? 'differs' : 'agrees';
  return { criterion, finding, against };
}
