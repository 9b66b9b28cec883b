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
 * Checks that everything a decision cites existed when it was made, and was not withdrawn by then.
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
      // Report a citation of the decision itself, unless it is the only citation: another rule
      // reports that.
      const isLater =
        id === own ? cites.some((cite) => cite.id !== own) : (made.get(id) ?? 0) > round;
      if (isLater) yield say('cites-later', `it cites ${id}, which did not exist then`);
      if (type === 'claim' && relation !== 'supersedes' && isWithdrawn(context, id, round))
        yield say('withdrawn-ground', `it rests on ${id}, which its seat had taken back`);
    }
  }
}

/** Returns whether a claim was withdrawn by a round and not changed since. */
function isWithdrawn({ history }: Context, claim: string, round: number): boolean {
  const moves = history.moves.get(claim) ?? [];
  return moves.findLast((move) => getRoundOfMove(move) <= round)?.verification.check === CONCEDED;
}
