/**
 * Determines which failed calls are made again when a deliberation is resumed. After a failed call,
 * the rounds continue without its result. If the call gets an answer later, everything that depends
 * on it is repeated. A failure is only final if later calls were paid for, or if a person has
 * tested or changed a later claim.
 */

import * as z from 'zod';
import { unsettledFailures } from '../../kernel/unsettled.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { RoundView } from './claims/rounds-view.ts';
import { ROUNDS } from './facts.ts';
import { roundsOf } from './fold.ts';
import { changeSchema } from './fork-changes.ts';

/**
 * Returns the keys of the steps whose failed calls are made again when the run is resumed or forked.
 * A failure that a fork copied is final, and so is a failure in two other cases. A call or a question
 * to a person was begun after the failure and was answered, so it may depend on the failure. Or a
 * person has tested or reworded a claim that was raised after the failure: a new answer to the failed
 * call would give the claim another number. If the last round has no artifact, all failed calls for
 * its artifacts are made again.
 * @param config the settings of the resumed run or of the fork; their changes say which claims a
 * fork has reworded
 */
export function findStepsToRepeat(facts: readonly AnyFact[], config: unknown): string[] {
  const upTo = spokenOf(facts, config);
  return [...new Set([...unsettledFailures(facts, { byWork: false, upTo }), ...endedBy(facts)])];
}

/** Returns the sentence that says why a run ended: no seat handed in an artifact in this round. */
export function explainEmptyRound(round: number): string {
  return `in round ${round} no seat handed in an artifact`;
}

/**
 * Returns the failed artifact calls because of which a run ended. The run or a fork would fail
 * again unless one of these calls gets an answer.
 */
function endedBy(facts: readonly AnyFact[]): string[] {
  const last: RoundView | undefined = roundsOf(facts).rounds.at(-1);
  if (last === undefined || last.artifacts.length > 0) return [];
  const failed = new Set<string>();
  for (const fact of facts.filter(ROUNDS.is('call.failed'))) {
    if (fact.step.startsWith(`round-${last.round}/D/`)) failed.add(fact.step);
  }
  return [...failed];
}

const changes = z.object({ changes: z.array(changeSchema) });

/**
 * Returns the position in the log of the last claim that a person has tested or reworded. If a call
 * before this position were made again, the claims would be renumbered, and the person's test or
 * wording would belong to another claim.
 */
function spokenOf(log: readonly AnyFact[], config: unknown): number {
  const facts = log.filter(ROUNDS.owns);
  const read = changes.safeParse(config);
  const edited = read.success ? read.data.changes : [];
  const spoken = new Set([
    ...edited.flatMap((change) => (change.kind === 'claim' ? [change.claim] : [])),
    ...facts.flatMap((fact) =>
      fact.type === 'evidence.recorded' || fact.type === 'claim.edited' ? [fact.claim] : [],
    ),
  ]);
  return facts.findLast((fact) => fact.type === 'claim.raised' && spoken.has(fact.id))?.seq ?? 0;
}
