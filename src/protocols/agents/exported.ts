/** What the export of a run of agents adds for readers: who set whom to work, as a tree. */
import * as z from 'zod';
import { usageSchema } from '../../kernel/model.ts';
import { AGENT_STATES, PATTERNS, REASONS } from './facts.ts';
import type { AgentsView, AgentView } from './fold.ts';

const name = z.string().min(1);

/** An agent at work, what it took with all below it, and whom it set to work. */
export const agentNode = z.strictObject({
  path: name,
  agent: name,
  pattern: z.enum(PATTERNS),
  why: z.enum(REASONS),
  state: z.enum([...AGENT_STATES, 'running', 'stopped']),
  /** Calls that ended, what they took, what is known of their price, and how many have none. */
  calls: z.int(),
  usage: usageSchema,
  costUsd: z.number(),
  unpriced: z.int(),
  get children() {
    return z.array(agentNode);
  },
});

type AgentNode = z.infer<typeof agentNode>;

/** Who set whom to work; undefined where nobody did. */
export function agentTree({ agents, root }: AgentsView): AgentNode | undefined {
  const node = ({ path, agent, pattern, why, state, all, children }: AgentView): AgentNode => ({
    ...{ path, agent, pattern, why, state, ...all },
    children: children.flatMap((one) => agents[one] ?? []).map(node),
  });
  const first = agents[root ?? ''];
  return first && node(first);
}
