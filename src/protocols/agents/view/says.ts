/** The facts of a run of agents in a few words each, for the log; pipes are told by `lines.ts`. */
import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';

import { AGENTS, type OwnBody } from '../facts.ts';

/** A line of the log shows no more of a text. */
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

/** Undefined where the fact is none of these. */
export function says(one: AnyFact): string | undefined {
  return AGENTS.say(SAYINGS, one);
}
