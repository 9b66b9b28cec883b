/** What may be said of a contrast: few things, and of most evaluations that nothing may be said. */
import { CONFIDENCE } from './exact.ts';
import type { Difference } from './mean.ts';

/** Two points: less than that is nobody's reason to pay for a panel. */
const MARGIN = 0.02;
/**
 * Fewer units than this are too few for a verdict. Where two arms differ on one item in five, 200 show differences
 * from nine points on, and 199 without a flip are the fewest that show that a panel nods.
 */
export const FEWEST = 200;

/**
 * `unknown`: cannot tell. The others are no verdict, whatever the figures say. `rehearsal`: the stand-in
 * answered; `small`: fewer than `FEWEST` units; `unfinished`: not all answers are in.
 */
export type Kind = 'gain' | 'loss' | 'within' | 'unknown' | 'rehearsal' | 'small' | 'unfinished';

export interface Verdict {
  readonly kind: Kind;
  /** A gain for more money (tokens) than what it is held against took: none at equal price. */
  readonly isDearer: boolean;
  /** Where the figures as scored would have said more: the reading in which they do not. */
  readonly changesIn?: string;
}

interface Evidence {
  /** By reading, the first as scored; of several contrasts, with p corrected. */
  readonly readings: readonly { readonly name: string; readonly difference: Difference }[];
  /** Units fixed at the start, and those that both arms were asked. */
  readonly planned: number;
  readonly asked: number;
  /** What both have still to be asked of what was fixed at the start, repetitions included. */
  readonly left: number;
  /** Price of the arm over the price of what it is held against. */
  readonly ratio: number | undefined;
  /** Whether the stand-in played an arm, and no model. */
  readonly isRehearsal?: boolean;
}

export function judge({
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
