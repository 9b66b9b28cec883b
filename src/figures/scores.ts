/**
 * A seat's scores under one criterion, and the options that the seat calls best and worst. Compared with the
 * scores, best and worst show whether the seat has reversed the scale, as in "cost: 9" for the most expensive
 * option.
 */
export interface ScoredCriterion {
  readonly criterion: string;
  /** Scores by option; more is better. */
  readonly scores: ReadonlyMap<string, number>;
  /** The option that the seat calls best. */
  readonly best: string;
  /** The option that the seat calls worst. */
  readonly worst: string;
}

/** Whether a seat's scores agree with the options that it calls best and worst. */
export interface ScoreCheck {
  readonly criterion: string;
  /**
   * `turned`: the option that the seat calls best has a lower score than the option that it calls
   * worst, so the scale is reversed. `differs`: a third option has a higher score than the one
   * called best, or a lower score than the one called worst. `unclear`: the seat calls the same option
   * best and worst, or the best or the worst option has no score.
   */
  readonly finding: 'agrees' | 'turned' | 'differs' | 'unclear';
  /** Options that score more than the one called best or less than the one called worst, lowest score first. */
  readonly against: readonly string[];
}

/** Compares a seat's scores with the options that it calls best and worst. */
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
