/** What is asked of a decision: words, and something that it rests on besides itself. */
import { says } from '../said.ts';
import { type Context, type Errors, sayOfDecision } from './context.ts';
import { checkRound } from './ids.ts';

export function* checkDecisions(context: Context): Errors {
  const { records, known } = context;
  for (const decision of records.decisions) {
    const { id: own, cites } = decision;
    const say = sayOfDecision(context, decision);
    yield* checkRound(say, 'D', decision);
    if (!says(decision.text)) yield say('empty-text', `${own} says nothing`);
    if (cites.length === 0) yield say('no-citation', `${own} cites nothing`);
    else if (cites.every(({ id }) => id === own))
      yield say('self-citation', `${own} cites nothing but itself`);
    for (const { type, id } of cites)
      if (!known[type](id)) yield say('dangling-citation', `there is no ${type} ${id}`);
    for (const id of decision.conditions ?? [])
      if (!known.claim(id)) yield say('unknown-claim', `it waits for ${id}, which does not exist`);
  }
}
