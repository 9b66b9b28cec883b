/**
 * Compares two runs of agents: the answer of each agent, by its path in the tree, and the agent
 * that wrote the final answer.
 */
import { comparing, recordDiff } from '../../../record-kinds/diff.ts';
import { type AgentsView, type AgentView, agentsOf } from '../fold.ts';

/** Compares the agents of two runs: their answers, and who wrote the final answer. */
export const diffAgents = recordDiff({
  read: ({ facts }) => agentsOf(facts),
  records: {
    agents: comparing({
      all: ({ agents }: AgentsView) => Object.values(agents),
      id: ({ path }: AgentView) => path,
      compared: ({ state, text = '', answeredBy = '', reason = '', route }) => ({
        status: state,
        text,
        answeredBy,
        reason,
        choice: route?.choice ?? '',
      }),
      sentence: ({ state, text, reason = '' }) => `${state}: ${text || reason}`,
    }),
  },
});
