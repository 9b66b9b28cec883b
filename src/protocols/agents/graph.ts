/**
 * The links between agents, as a run's settings contain them: all names are resolved, and no file is needed.
 * Each agent's entry names only the agents that it deals with directly.
 */

import * as z from 'zod';
import { entryOf } from '../../kernel/entry.ts';

const id = z.string().min(1);
const count = z.number().int().positive();

/**
 * When a team's discussion may end: when the members vote to end it, after the last round, or when
 * the supervisor decides.
 */
export const TERMINATION_MODES = ['consensus', 'maxRounds', 'coordinatorDecides'] as const;

const advisorsSchema = z.object({
  agents: z.array(id).min(1),
  /**
   * How many advisors must have answered; `any` means one. With fewer answers, the agent fails without being asked.
   */
  required: z.union([z.enum(['all', 'any']), z.number().int().nonnegative()]),
  /**
   * Milliseconds that each advisor may take, including all agents below it. Absent if there is no
   * limit.
   */
  timeoutMs: count.optional(),
});

const routerSchema = z.object({
  destinations: z.array(id).min(1),
  /** Whether the router may answer a request itself instead of choosing another agent. */
  mayAnswer: z.boolean(),
});

const teamSchema = z.object({
  members: z.array(id).min(1),
  /** The id of the agent that leads the team: the agent whose file defines the team, or another one. */
  supervisor: id,
  /** The most cycles in which members may speak. */
  memberMaxTurns: count,
  /** The most cycles in which the supervisor may speak. */
  supervisorMaxTurns: count,
  terminationMode: z.enum(TERMINATION_MODES),
  /**
   * The most cycles of the discussion. In a cycle, the members speak and then the supervisor. The smallest of the
   * team's three limits counts.
   */
  maxRounds: count,
});

/** The schema of an agent's links to other agents. */
export const linksSchema = z.object({
  advisors: advisorsSchema.optional(),
  router: routerSchema.optional(),
  team: teamSchema.optional(),
  handoff: id.optional(),
});
/** An agent's links to other agents. */
export type Links = z.infer<typeof linksSchema>;
/** The agents whose advice an agent collects before it works, how many must answer, and within which time. */
export type Advisors = z.infer<typeof advisorsSchema>;
/**
 * The setting that makes an agent a router: its `destinations`, the agents from which it chooses one for a request,
 * and whether it may choose itself.
 */
export type Router = z.infer<typeof routerSchema>;
/** The members and the supervisor of a team, and the limits of its discussion. */
export type Team = z.infer<typeof teamSchema>;
/** The links of every agent, by the agent's id. */
export type Graph = Readonly<Record<string, Links>>;

/** A link of an agent to another agent. */
export interface Link {
  /** The part that the other agent plays. */
  readonly by: 'advisor' | 'destination' | 'member' | 'supervisor' | 'handoff';
  /** The other agent's id. */
  readonly to: string;
}

/**
 * Returns an agent's links in the order in which they are used: advisors, then router or team, then
 * handoff.
 */
export function listLinks(agent: string, { advisors, router, team, handoff }: Links): Link[] {
  const makeLinks = (by: Link['by'], targets: readonly string[] = []): Link[] =>
    targets.map((target) => ({ by, to: target }));
  return [
    ...makeLinks('advisor', advisors?.agents),
    ...makeLinks('destination', router?.destinations),
    ...makeLinks('member', team?.members),
    ...makeLinks(
      'supervisor',
      team === undefined || team.supervisor === agent ? [] : [team.supervisor],
    ),
    ...makeLinks('handoff', handoff === undefined ? [] : [handoff]),
  ];
}

/**
 * Returns the ids of an agent and of all agents to which it may give tasks, directly or not. The
 * agent itself is first.
 */
export function findAgentsBelow(graph: Graph, root: string): string[] {
  const found = new Set([root]);
  for (const agent of found)
    for (const { to } of listLinks(agent, entryOf(graph, agent) ?? {}))
      if (entryOf(graph, to) !== undefined) found.add(to);
  return [...found];
}

/**
 * Returns the cycles of links by which a task could come back to the same agent: `[A, B, A]`. Each agent
 * is visited once, so two cycles with a common part may be reported as one.
 */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const over = new Set<string>();
  const path: string[] = [];
  const visitAgent = (agent: string): void => {
    const seen = path.indexOf(agent);
    if (seen >= 0) {
      cycles.push([...path.slice(seen), agent]);
      return;
    }
    if (over.has(agent)) return;
    path.push(agent);
    for (const { to } of listLinks(agent, entryOf(graph, agent) ?? {})) visitAgent(to);
    path.pop();
    over.add(agent);
  };
  for (const agent of Object.keys(graph)) visitAgent(agent);
  return cycles;
}

/**
 * Returns the ids of the agents that may give the final answer to an agent's task. There are
 * several if a router chooses. An agent with a team counts even if another agent supervises the team. The
 * graph must have no cycles.
 */
export function findTerminals(graph: Graph, agent: string): string[] {
  const { handoff, router, team } = entryOf(graph, agent) ?? {};
  if (handoff !== undefined) return findTerminals(graph, handoff);
  if (router === undefined) return [team?.supervisor ?? agent];
  const { destinations, mayAnswer } = router;
  const chosen = destinations.flatMap((destination) => findTerminals(graph, destination));
  return [...new Set([...(mayAnswer ? [agent] : []), ...chosen])];
}

/**
 * Formats how an agent works, for lists of agents: `session`, `router · handoff`, `advisors ·
 * team`.
 */
export function formatPattern({ advisors, router, team, handoff }: Links): string {
  const words = [
    ...(advisors ? ['advisors'] : []),
    ...(router ? ['router'] : []),
    ...(team ? ['team'] : []),
    ...(handoff ? ['handoff'] : []),
  ];
  return words.length === 0 ? 'session' : words.join(' · ');
}
