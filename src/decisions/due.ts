/** What of a run a person is asked about by now: predictions, the decision's review, claims still open. */
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

export interface DueItem {
  readonly kind: 'prediction' | 'decision' | 'claim';
  /** `P-1-2`, `decision`, `C-1-2`. */
  readonly id: string;
  /** Since when it is due. Of a claim: the day of the decision that rests on it. */
  readonly day: string;
  readonly text: string;
  /** Of a prediction: what is looked at. */
  readonly look?: string;
  /** Of a prediction: the command that shows it, as a model wrote it. */
  readonly command?: string;
}

/**
 * Returns what is due, soonest first. Left out are predictions of the stand-in, and those that a fork has
 * from its parent: they are asked about there.
 *
 * @param today the day where this process runs
 * @param isOpen whether a claim, by its id, is neither confirmed, refuted nor superseded by now
 */
export function dueIn(
  view: DecisionsView,
  today: string,
  isOpen: (claim: string) => boolean,
): DueItem[] {
  const decision = standingDecision(view);
  const review = decision === undefined ? undefined : reviewDay(decision);
  const items: DueItem[] = countingPredictions(view)
    .filter((one) => isDue(one, view, today))
    .map((one) => ({
      ...{ kind: 'prediction', id: one.id, day: dueDay(one), text: one.sentence, look: one.look },
      ...(one.command === undefined ? {} : { command: one.command }),
    }));
  if (decision !== undefined && review !== undefined && review <= today)
    items.push({ kind: 'decision', id: 'decision', day: review, text: decision.text });
  const observed = new Set(view.observations.map(({ claim }) => claim));
  for (const { claim, text } of decision?.open_claims ?? [])
    if (isOpen(claim) && !observed.has(claim))
      items.push({ kind: 'claim', id: claim, day: dayOf(new Date(decision?.at ?? 0)), text });
  return items.sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
}

function isDue(one: PredictionView, view: DecisionsView, today: string): boolean {
  const isOurs = one.parent === undefined && !one.rehearsal;
  return isOurs && outcomeOf(one, view).state === 'open' && dueDay(one) <= today;
}
