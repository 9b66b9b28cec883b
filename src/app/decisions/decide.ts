/** Makes the fact of a person's decision on a run, for the command line and the console. */

import { dayOf } from '../../decisions/dates.ts';
import type { DecisionBody } from '../../decisions/facts.ts';
import { type DecisionsView, decisionsOf } from '../../decisions/fold.ts';
import type { DecisionGrounds } from '../../decisions/grounds.ts';
import { type DecisionWish, takeDecision } from '../../decisions/taking.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Protocols } from '../invocation.ts';

/** The parts of a run that a decision refers to. */
interface Decidable {
  readonly view: RunView;
  readonly decisions: DecisionsView;
  readonly grounds: DecisionGrounds;
  /** The version of the synthesis that counts; undefined if there is none. */
  readonly version: number | undefined;
}

async function decidableOf(protocols: Protocols, facts: readonly AnyFact[]): Promise<Decidable> {
  const view = viewOf(facts);
  const text = await protocols.loadText(view.protocol);
  const run = { facts, view };
  return {
    view,
    decisions: decisionsOf(facts),
    grounds: text.grounds(run),
    version: text.latest(run)?.version,
  };
}

/**
 * Creates the fact that records a decision on a run.
 *
 * @param facts the run's facts
 * @param wish what the person has decided, as typed
 * @throws UsageError if the decision is not complete or valid; DeliberateError `still-running` if
 *   the run has not ended
 */
export async function makeDecision(
  protocols: Protocols,
  facts: readonly AnyFact[],
  wish: DecisionWish,
): Promise<Extract<DecisionBody, { type: 'decision.taken' }>> {
  const { view, decisions, grounds, version } = await decidableOf(protocols, facts);
  if (view.seq === 0 || view.endedAt === undefined)
    throw new DeliberateError(
      'still-running',
      `run ${shortId(view.id)} has not ended`,
      'Decide when it is done, or stop it first.',
    );
  return takeDecision(wish, { view: decisions, grounds, version, today: dayOf(new Date()) });
}
