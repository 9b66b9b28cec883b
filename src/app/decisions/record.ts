/** Records what a person says of a run after its end, as facts of that run. */
import type { DecisionBody } from '../../decisions/facts.ts';
import { type DecisionsView, decisionsOf } from '../../decisions/fold.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { withTakeover } from '../taking.ts';

/**
 * Records facts about decisions on a run that has ended, all of them or none. The run is locked
 * only while the facts are written, so that two terminals can record one after the other.
 *
 * @param make returns the facts; if it throws, nothing is recorded
 * @throws DeliberateError `still-running` if the run has not ended; RunOwnedError if another
 *   process works on the run
 */
export async function recordDecisionFacts(
  call: Invocation,
  store: Store,
  run: string,
  make: (view: DecisionsView) => readonly DecisionBody[],
): Promise<AnyFact[]> {
  const journal = await withTakeover(call, run, (how) => store.own(run, how));
  try {
    const facts = journal.facts();
    requireEnd(facts, run);
    const made = make(decisionsOf(facts));
    return made.length === 0 ? [] : [...journal.note([...made])];
  } finally {
    journal.release();
  }
}

/** Checks that the run has ended. @throws DeliberateError `still-running` if it has not */
function requireEnd(facts: readonly AnyFact[], run: string): void {
  const view = viewOf(facts);
  if (view.seq > 0 && view.endedAt !== undefined) return;
  throw new DeliberateError(
    'still-running',
    `run ${shortId(run)} has not ended`,
    'Say it when the run is done, or stop it first.',
  );
}
