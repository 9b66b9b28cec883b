/**
 * Which failed calls are asked again when somebody comes back to a deliberation. After a failure the
 * rounds go on: they note that a verdict or a vote is missing, and all of that is worked out anew once
 * the call has an answer. So a failure is settled by what was paid for after it, or by what a person
 * said of a claim, and by nothing else: where the server was away, everything from there on is asked.
 */

import * as z from 'zod';
import { unsettledFailures } from '../../kernel/session.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { ROUNDS } from './facts.ts';
import { type RoundView, roundsOf } from './fold.ts';
import { changeSchema } from './fork-changes.ts';

/**
 * Returns the steps of failed calls that a resumed run or a fork asks again.
 * @param config the settings of the resumed run or of the fork
 */
export function unsettledIn(facts: readonly AnyFact[], config: unknown): string[] {
  const upTo = spokenOf(facts, config);
  return [...new Set([...unsettledFailures(facts, { byWork: false, upTo }), ...endedBy(facts)])];
}

/** Returns the reason why a run ends after a round without any artifact. */
export function nothingHandedIn(round: number): string {
  return `in round ${round} no seat handed anything in`;
}

/**
 * The artifacts that a run failed for want of, whatever came after: without one of them it would fail
 * again, also where a fork has taken them over.
 */
function endedBy(facts: readonly AnyFact[]): string[] {
  const last: RoundView | undefined = roundsOf(facts).rounds.at(-1);
  if (last === undefined || last.artifacts.length > 0) return [];
  const failed = new Set<string>();
  for (const one of facts.filter(ROUNDS.is('call.failed'))) {
    if (one.step.startsWith(`round-${last.round}/D/`)) failed.add(one.step);
  }
  return [...failed];
}

const changes = z.object({ changes: z.array(changeSchema) });

/**
 * The last claim that a person has tested or reworded. Were a call before it asked again, claims would
 * be numbered anew, and what was said of one would stand at another.
 */
function spokenOf(log: readonly AnyFact[], config: unknown): number {
  const facts = log.filter(ROUNDS.owns);
  const read = changes.safeParse(config);
  const edited = read.success ? read.data.changes : [];
  const spoken = new Set([
    ...edited.flatMap((one) => (one.kind === 'claim' ? [one.claim] : [])),
    ...facts.flatMap((one) =>
      one.type === 'evidence.recorded' || one.type === 'claim.edited' ? [one.claim] : [],
    ),
  ]);
  return facts.findLast((one) => one.type === 'claim.raised' && spoken.has(one.id))?.seq ?? 0;
}
