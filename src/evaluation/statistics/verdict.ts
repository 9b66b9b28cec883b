/** Decides what may be said of a contrast; for most evaluations that is nothing. */
import { CONFIDENCE } from './exact.ts';
import type { Difference } from './mean.ts';

/** The smallest relevant difference, two points: less does not justify the cost of a panel. */
const MARGIN = 0.02;
/**
 * The smallest number of units (items, or groups of items that belong together) from which the evaluation gives a
 * verdict. With fewer units, chance can produce large differences. The number also suffices to show that a panel
 * always agrees with the first vote of its own seats: for this, 199 units without a changed vote are needed.
 */
export const MIN_UNITS_FOR_VERDICT = 200;

/**
 * The kind of verdict on a comparison of two arms. `gain`, `loss`: the first arm is better, or worse.
 * `within`: the arms differ by less than 2 points. `unknown`: the figures allow no verdict. The last
 * three kinds mean that there is no verdict whatever the figures are: the stand-in answered
 * (`rehearsal`), there are fewer than `MIN_UNITS_FOR_VERDICT` units (`small`), or answers are missing
 * (`unfinished`).
 */
export type Kind = 'gain' | 'loss' | 'within' | 'unknown' | 'rehearsal' | 'small' | 'unfinished';

/** The verdict on a comparison of two arms. */
export interface Verdict {
  /** What was found about the first arm, or why nothing can be said: `gain`, `loss`, `within` or another kind. */
  readonly kind: Kind;
  /**
   * Whether the first arm cost more money or tokens than the second, so that a gain is not a gain at
   * equal cost.
   */
  readonly isDearer: boolean;
  /**
   * Unreadable and missing answers can be counted in several ways. If these ways lead to different
   * verdicts, the kind is `unknown`, and this is the name of a way that contradicts the usual one.
   * Absent if the ways agree, or if the usual way gives `unknown`.
   */
  readonly changesIn?: string;
}

interface Evidence {
  /** The differences by reading, the first as scored; p-values are corrected for several contrasts. */
  readonly readings: readonly { readonly name: string; readonly difference: Difference }[];
  /** The number of planned units. */
  readonly planned: number;
  /** The number of units that both arms were asked. */
  readonly asked: number;
  /** Planned repetitions that both arms have yet to be asked. */
  readonly left: number;
  /** The arm's cost divided by the other's. */
  readonly ratio: number | undefined;
  /** Whether the built-in stand-in answered for an arm, instead of a model. */
  readonly isRehearsal?: boolean;
}

/**
 * Returns the verdict on a comparison of two arms. A gain, a loss or `within` counts only if every way of
 * counting unreadable and missing answers leads to the same kind; otherwise the kind is `unknown`.
 */
export function decideVerdict({
  readings,
  planned,
  asked,
  left,
  ratio,
  isRehearsal = false,
}: Evidence): Verdict {
  const isDearer = ratio !== undefined && ratio > 1 + 1e-9;
  const makeVerdict = (kind: Kind): Verdict => ({ kind, isDearer });
  const [first, ...others] = readings;
  if (isRehearsal) return makeVerdict('rehearsal');
  if (first === undefined || Math.min(planned, first.difference.units) < MIN_UNITS_FOR_VERDICT)
    return makeVerdict('small');
  if (asked < planned || left > 0) return makeVerdict('unfinished');
  const kind = kindOf(first.difference);
  const other = others.find(({ difference }) => kindOf(difference) !== kind);
  return other === undefined || kind === 'unknown'
    ? makeVerdict(kind)
    : { kind: 'unknown', isDearer, changesIn: other.name };
}

function kindOf({ low, high, p }: Difference): Kind {
  const isClear = p < 1 - CONFIDENCE;
  if (isClear && low > 0) return 'gain';
  if (isClear && high < 0) return 'loss';
  return low > -MARGIN && high < MARGIN ? 'within' : 'unknown';
}
