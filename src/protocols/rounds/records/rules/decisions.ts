/** Rules for decisions: each needs a text, and grounds other than itself. */
import { hasVisibleText } from '../said.ts';
import { getRoundOfMove } from '../timeline.ts';
import { CONCEDED } from '../types.ts';
import { type Context, type Errors, type Guarded, makeDecisionReporter } from './context.ts';
import { checkRound } from './ids.ts';

/** Checks every decision: its id, text and citations. */
export function* checkDecisions(context: Context): Errors {
  const { records, known } = context;
  for (const decision of records.decisions) {
    const { id: own, cites } = decision;
    const say = makeDecisionReporter(context, decision);
    yield* checkRound(say, 'D', decision);
    if (!hasVisibleText(decision.text)) yield say('empty-text', `${own} says nothing`);
    if (cites.length === 0) yield say('no-citation', `${own} cites nothing`);
    else if (cites.every(({ id }) => id === own))
      yield say('self-citation', `${own} cites nothing but itself`);
    for (const { type, id } of cites)
      if (!known[type](id)) yield say('dangling-citation', `there is no ${type} ${id}`);
    for (const id of decision.conditions ?? [])
      if (!known.claim(id)) yield say('unknown-claim', `it waits for ${id}, which does not exist`);
  }
}

/**
 * Reports citations of decisions: of records that did not exist when the decision was made, and of claims as grounds
 * that had been withdrawn by then.
 */
export function* checkCited(context: Context): Guarded {
  const { claims, verifications, decisions } = context.records;
  const made = new Map(
    [...claims, ...verifications, ...decisions].map(({ id, round }) => [id, round]),
  );
  for (const decision of decisions) {
    const { id: own, round, cites } = decision;
    const say = makeDecisionReporter(context, decision);
    for (const { type, id, relation } of cites) {
      // Report a decision that cites itself among others. A decision that cites nothing but itself is reported by
      // another rule.
      const isLater =
        id === own ? cites.some((cite) => cite.id !== own) : (made.get(id) ?? 0) > round;
      if (isLater) yield say('cites-later', `it cites ${id}, which did not exist then`);
      if (type === 'claim' && relation !== 'supersedes' && isWithdrawn(context, id, round))
        yield say('withdrawn-ground', `it rests on ${id}, which its seat had taken back`);
    }
  }
}

/** Returns whether the last change of a claim's status, up to and including a round, was its withdrawal. */
function isWithdrawn({ history }: Context, claim: string, round: number): boolean {
  const moves = history.moves.get(claim) ?? [];
  return moves.findLast((move) => getRoundOfMove(move) <= round)?.verification.check === CONCEDED;
}
