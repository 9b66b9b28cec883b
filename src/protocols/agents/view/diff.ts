/** Compares two runs of agents: each agent's result, and which agent answered. Pure. */

import type { RunView } from '../../../kernel/view.ts';
import {
  type Change,
  type Compared,
  compare,
  comparedText,
  differences,
  diffText,
  modelLines,
  modelsOf,
} from '../../../plain/diff.ts';
import type { AgentsView } from '../fold.ts';

interface AgentsDiff {
  /** Agents by path, that is by their place in the tree. */
  readonly agents: Compared;
  /** Agents whose models differ. */
  readonly models: Readonly<Record<string, Change>>;
}

interface Worked {
  readonly view: RunView;
  readonly agents: AgentsView;
}

export function diffAgents(before: Worked, after: Worked): AgentsDiff {
  const worked = ({ agents }: AgentsView) =>
    Object.values(agents).map((one) => ({ ...one, id: one.path }));
  return {
    agents: compare(
      worked(before.agents),
      worked(after.agents),
      (one) => ({
        status: one.state,
        text: one.text ?? '',
        answeredBy: one.answeredBy ?? '',
        reason: one.reason ?? '',
        choice: one.route?.choice ?? '',
      }),
      ({ state, text, reason }) => `${state}: ${text || (reason ?? '')}`,
    ),
    models: differences(modelsOf(before.view, undefined), modelsOf(after.view, undefined)),
  };
}

export function agentsDiffText({ agents, models }: AgentsDiff): string {
  return diffText([...comparedText('Agents', agents), ...modelLines(models)]);
}
