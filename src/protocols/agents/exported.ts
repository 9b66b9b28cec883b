/** The part of an exported run of agents for readers: the tree of who gave tasks to whom. */
import * as z from 'zod';
import { usageSchema } from '../../kernel/model.ts';
import { AGENT_STATES, PATTERNS, REASONS } from './facts.ts';
import type { AgentsView, AgentView } from './fold.ts';

const name = z.string().min(1);

/**
 * The schema of an agent in an exported run, with its cost and the agents that it gave tasks to.
 * The cost includes all agents below.
 */
export const agentNode = z.strictObject({
  path: name,
  agent: name,
  pattern: z.enum(PATTERNS),
  why: z.enum(REASONS),
  state: z.enum([...AGENT_STATES, 'running', 'stopped']),
  /** The number of ended calls of the agent and of the agents below it, failed and stopped ones included. */
  calls: z.int(),
  /** The tokens of all calls of the agent and of the agents below it. */
  usage: usageSchema,
  /** The cost of those of the `calls` that have a known price. */
  costUsd: z.number(),
  /** How many of the `calls` have no known price. */
  unpriced: z.int(),
  /** How many of the `calls` a subscription pays for; absent if none. */
  onPlan: z.int().optional(),
  get children() {
    return z.array(agentNode);
  },
});

type AgentNode = z.infer<typeof agentNode>;

/** Returns the tree of agents for export, or undefined if no agent has started. */
export function exportAgentTree({ agents, root }: AgentsView): AgentNode | undefined {
  const toNode = ({ path, agent, pattern, why, state, all, children }: AgentView): AgentNode => ({
    path,
    agent,
    pattern,
    why,
    state,
    ...all,
    children: children.flatMap((child) => agents[child] ?? []).map(toNode),
  });
  const first = agents[root ?? ''];
  return first && toNode(first);
}
