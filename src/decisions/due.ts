/**
 * Lists what a person should be asked about now: due predictions, the review of the decision, and claims
 * that were open when the decision was taken.
 */

import { withoutUndefined } from '../text/without-undefined.ts';
import { dayOf } from './dates.ts';
import {
  countingPredictions,
  type DecisionsView,
  dueDay,
  outcomeOf,
  type PredictionView,
  standingDecision,
} from './fold.ts';
import { reviewDay } from './table.ts';

/**
 * Something that a person should do now: answer a prediction, review a decision, or settle a claim.
 */
export interface DueItem {
  readonly kind: 'prediction' | 'decision' | 'claim';
  /**
   * The id of a prediction (`P-1-2`) or of a claim (`C-1-2`); for a decision, the word `decision`.
   */
  readonly id: string;
  /** The day from which the item is due. For a claim, the day of the decision that rests on it. */
  readonly day: string;
  readonly text: string;
  /** What to look at to answer a prediction; absent for other items. */
  readonly look?: string;
  /**
   * The command that shows the outcome of a prediction, as a model wrote it; absent for other
   * items.
   */
  readonly command?: string;
}

/**
 * Returns the items that are due, in the order of their days. Left out are predictions of the
 * stand-in, and predictions that a fork copied, which people answer in the parent run.
 *
 * @param today the day in the time zone of this process
 * @param isOpen returns whether the claim with this id is still undecided
 */
export function findDueItems(
  view: DecisionsView,
  today: string,
  isOpen: (claim: string) => boolean,
): DueItem[] {
  const decision = standingDecision(view);
  const review = decision === undefined ? undefined : reviewDay(decision);
  const items: DueItem[] = countingPredictions(view)
    .filter((prediction) => isDue(prediction, view, today))
    .map((prediction) => ({
      kind: 'prediction',
      id: prediction.id,
      day: dueDay(prediction),
      text: prediction.sentence,
      look: prediction.look,
      ...withoutUndefined({ command: prediction.command }),
    }));
  if (decision !== undefined && review !== undefined && review <= today)
    items.push({ kind: 'decision', id: 'decision', day: review, text: decision.text });
  const observed = new Set(view.observations.map(({ claim }) => claim));
  for (const { claim, text } of decision?.open_claims ?? [])
    if (isOpen(claim) && !observed.has(claim))
      items.push({ kind: 'claim', id: claim, day: dayOf(new Date(decision?.at ?? 0)), text });
  return items.sort((item, other) => (item.day < other.day ? -1 : item.day > other.day ? 1 : 0));
}

function isDue(prediction: PredictionView, view: DecisionsView, today: string): boolean {
  const isOurs = prediction.parent === undefined && !prediction.rehearsal;
  return isOurs && outcomeOf(prediction, view).state === 'open' && dueDay(prediction) <= today;
}
