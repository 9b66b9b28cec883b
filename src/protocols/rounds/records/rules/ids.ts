/** Checks that a record has the round that its id names. */
import { roundOfId } from '../layout.ts';
import type { Errors, ProblemMaker } from './context.ts';

/**
 * Checks that a record's id has the form of its kind and names the record's own round.
 * @param say makes the report of a problem
 * @param kind C for claims, V for verifications, D for decisions
 */
export function* checkRound(
  say: ProblemMaker,
  kind: 'C' | 'V' | 'D',
  { id, round }: { readonly id: string; readonly round: number },
): Errors {
  const named = roundOfId(kind, id);
  if (named === undefined) yield say('round-mismatch', `${id} is not ${kind}-{round}-{number}`);
  else if (named !== round) yield say('round-mismatch', `${id} stands in round ${round}`);
}
