/**
 * Checks a seat's scores of one criterion against the options that it named best and worst. Seats sometimes
 * reverse a scale ("cost: 9" for the most expensive), which the two names reveal.
 */

export interface ScoredCriterion {
  readonly criterion: string;
  /** Scores by option; more is better. */
  readonly scores: ReadonlyMap<string, number>;
  readonly best: string;
  readonly worst: string;
}

export interface ScoreCheck {
  readonly criterion: string;
  /**
   * `turned`: the best has less than the worst, so the scale was reversed. `differs`: another option has more
   * than the best, or less than the worst. `unclear`: best and worst are the same option, or lack a score.
   */
  readonly finding: 'agrees' | 'turned' | 'differs' | 'unclear';
  /** Options with more than the best or less than the worst, by score. */
  readonly against: readonly string[];
}

/** Checks the scores. Seats that do not agree are asked again, and reported if it stays so. */
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
