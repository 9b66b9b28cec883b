/**
 * Compares two runs of agents: the answer of each agent, by its path in the tree, and the agent
 * that wrote the final answer.
 */
import { recordDiff } from '../../../record-kinds/diff.ts';
import { recordComparisons } from '../../../record-kinds/table.ts';
import { agentsOf } from '../fold.ts';
import { RECORDS } from './records.ts';

/** Compares the agents of two runs: their answers, and who wrote the final answer. */
export const diffAgents = recordDiff({
  read: ({ facts }) => agentsOf(facts),
  records: recordComparisons(RECORDS),
});
