/**
 * Formats the facts of agents in a few words for the console's log. For pipes, `lines.ts` formats
 * them.
 */
import type { AnyFact, FactSentences } from '../../../kernel/vocabulary.ts';

import { AGENTS, type OwnBody } from '../facts.ts';

/** The most characters of a text in a line of the log. */
const LONGEST = 240;

const SAYINGS: FactSentences<OwnBody> = {
  'agent.started': (fact) => `${fact.agent}: ${fact.why}`,
  'agent.completed': (fact) =>
    `${fact.agent} ${fact.status}: ${fact.reason ?? fact.text.slice(0, LONGEST)}`,
  'advice.given': (fact) => `${fact.advisor} ${fact.status} ${fact.reason ?? ''}`,
  'route.chosen': (fact) => `${fact.agent} → ${fact.choice}: ${fact.reason}`,
  'handoff.made': (fact) => `${fact.from} → ${fact.to}`,
  'team.broadcast': (fact) => `cycle ${fact.cycle}, ${fact.from}: ${fact.text.slice(0, LONGEST)}`,
  'team.compacted': (fact) =>
    `cycle ${fact.cycle}: the first ${fact.messages} messages are shortened`,
  'team.ended': (fact) => `after ${fact.cycles} cycles, ${fact.how}: ${fact.why}`,
};

/** Formats a fact about agents for the log; undefined if the fact is not about agents. */
export function formatAgentFact(fact: AnyFact): string | undefined {
  return AGENTS.say(SAYINGS, fact);
}
