/** Decides what may be said of a contrast; for most evaluations that is nothing. */
import { CONFIDENCE } from './exact.ts';
import type { Difference } from './mean.ts';

/** The smallest relevant difference, two points: less does not justify the cost of a panel. */
const MARGIN = 0.02;
/**
 * The fewest units for a verdict. If two arms differ on one item in five, 200 units detect differences from
 * nine points on, and 199 without a flip are the fewest that show that a panel only confirms its vote.
 */
export const FEWEST = 200;

/**
 * The kinds of verdicts. `unknown`: cannot tell. The last three are no verdicts, whatever the figures say.
 * `rehearsal`: the stand-in answered; `small`: fewer than `FEWEST` units; `unfinished`: answers are
 * missing.
 */
export type Kind = 'gain' | 'loss' | 'within' | 'unknown' | 'rehearsal' | 'small' | 'unfinished';

export interface Verdict {
  readonly kind: Kind;
  /** Whether the arm took more money or tokens than the other, so that a gain is none at equal price. */
  readonly isDearer: boolean;
  /** The reading in which the verdict changes, if there is one. */
  readonly changesIn?: string;
}

interface Evidence {
  /** The differences by reading, the first as scored; p-values are corrected for several contrasts. */
  readonly readings: readonly { readonly name: string; readonly difference: Difference }[];
  /** The planned units, and those that both arms were asked. */
  readonly planned: number;
  readonly asked: number;
  /** Planned repetitions that both arms have yet to be asked. */
  readonly left: number;
  /** The arm's cost divided by the other's. */
  readonly ratio: number | undefined;
  /** Whether the stand-in and no model played an arm. */
  readonly isRehearsal?: boolean;
}

/** Returns the verdict on one contrast. A gain or loss must show in every reading. */
export function decideVerdict({
  readings,
  planned,
  asked,
  left,
  ratio,
  isRehearsal = false,
}: Evidence): Verdict {
  const isDearer = ratio !== undefined && ratio > 1 + 1e-9;
  const none = (kind: Kind): Verdict => ({ kind, isDearer });
  const [first, ...others] = readings;
  if (isRehearsal) return none('rehearsal');
  if (first === undefined || Math.min(planned, first.difference.units) < FEWEST)
    return none('small');
  if (asked < planned || left > 0) return none('unfinished');
  const kind = kindOf(first.difference);
  const other = others.find(({ difference }) => kindOf(difference) !== kind);
  return other === undefined || kind === 'unknown'
    ? none(kind)
    : { kind: 'unknown', isDearer, changesIn: other.name };
}

function kindOf({ low, high, p }: Difference): Kind {
  const isClear = p < 1 - CONFIDENCE;
  if (isClear && low > 0) return 'gain';
  if (isClear && high < 0) return 'loss';
  return low > -MARGIN && high < MARGIN ? 'within' : 'unknown';
}
