/**
 * Formats the facts of agents in a few words for the console's log. For pipes, `lines.ts` formats
 * them.
 */
import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';

import { AGENTS, type OwnBody } from '../facts.ts';

/** The most characters of a text in a line of the log. */
const LONGEST = 240;

const SAYINGS: Sayings<OwnBody> = {
  'agent.started': (one) => `${one.agent}: ${one.why}`,
  'agent.completed': (one) =>
    `${one.agent} ${one.status}: ${one.reason ?? one.text.slice(0, LONGEST)}`,
  'advice.given': (one) => `${one.advisor} ${one.status} ${one.reason ?? ''}`,
  'route.chosen': (one) => `${one.agent} → ${one.choice}: ${one.reason}`,
  'handoff.made': (one) => `${one.from} → ${one.to}`,
  'team.broadcast': (one) => `cycle ${one.cycle}, ${one.from}: ${one.text.slice(0, LONGEST)}`,
  'team.compacted': (one) => `cycle ${one.cycle}: the first ${one.messages} messages are shortened`,
  'team.ended': (one) => `after ${one.cycles} cycles, ${one.how}: ${one.why}`,
};

/** Formats a fact about agents for the log; undefined if the fact is not about agents. */
export function formatAgentFact(one: AnyFact): string | undefined {
  return AGENTS.say(SAYINGS, one);
}
