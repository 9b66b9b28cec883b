/**
 * The links between agents, as a run's settings contain them: all names are resolved, and no file is needed.
 * Each agent's entry names only the agents that it deals with directly.
 */

import * as z from 'zod';
import { entryOf } from '../../kernel/entry.ts';

const id = z.string().min(1);
const count = z.number().int().positive();

export const TERMINATION_MODES = ['consensus', 'maxRounds', 'coordinatorDecides'] as const;

const advisorsSchema = z.object({
  agents: z.array(id).min(1),
  /** How many of them must have answered; otherwise the agent fails without being asked. */
  required: z.union([z.enum(['all', 'any']), z.number().int().nonnegative()]),
  /** Milliseconds for each of them, including all agents below. Absent: unlimited. */
  timeoutMs: count.optional(),
});

const routerSchema = z.object({
  destinations: z.array(id).min(1),
  /** Whether the router may choose itself. */
  mayAnswer: z.boolean(),
});

const teamSchema = z.object({
  members: z.array(id).min(1),
  /** The agent itself, or another one. */
  supervisor: id,
  memberMaxTurns: count,
  supervisorMaxTurns: count,
  terminationMode: z.enum(TERMINATION_MODES),
  /** The most cycles. In each, every member speaks and then the supervisor. */
  maxRounds: count,
});

export const linksSchema = z.object({
  advisors: advisorsSchema.optional(),
  router: routerSchema.optional(),
  team: teamSchema.optional(),
  handoff: id.optional(),
});
/** The links of an agent to others. */
export type Links = z.infer<typeof linksSchema>;
export type Advisors = z.infer<typeof advisorsSchema>;
export type Router = z.infer<typeof routerSchema>;
export type Team = z.infer<typeof teamSchema>;
/** Links by the agent's id. */
export type Graph = Readonly<Record<string, Links>>;

/** A link of an agent to another, with the other's part in it. */
export interface Link {
  readonly by: 'advisor' | 'destination' | 'member' | 'supervisor' | 'handoff';
  readonly to: string;
}

/** Returns the links in the order in which they are used: advisors, then router or team, then handoff. */
export function linksOf(agent: string, { advisors, router, team, handoff }: Links): Link[] {
  const to = (by: Link['by'], those: readonly string[] = []): Link[] =>
    those.map((one) => ({ by, to: one }));
  return [
    ...to('advisor', advisors?.agents),
    ...to('destination', router?.destinations),
    ...to('member', team?.members),
    ...to('supervisor', team === undefined || team.supervisor === agent ? [] : [team.supervisor]),
    ...to('handoff', handoff === undefined ? [] : [handoff]),
  ];
}

/** Returns the agent and all agents that it may give tasks to, itself first. */
export function agentsBelow(graph: Graph, root: string): string[] {
  const found = new Set([root]);
  for (const agent of found)
    for (const { to } of linksOf(agent, entryOf(graph, agent) ?? {}))
      if (entryOf(graph, to) !== undefined) found.add(to);
  return [...found];
}

/**
 * Returns the ways in which an agent would work for itself: `[A, B, A]`. Each agent is visited once, so cycles
 * with a common part may be reported as one.
 */
export function cyclesIn(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const over = new Set<string>();
  const path: string[] = [];
  const visit = (agent: string): void => {
    const seen = path.indexOf(agent);
    if (seen >= 0) {
      cycles.push([...path.slice(seen), agent]);
      return;
    }
    if (over.has(agent)) return;
    path.push(agent);
    for (const { to } of linksOf(agent, entryOf(graph, agent) ?? {})) visit(to);
    path.pop();
    over.add(agent);
  };
  for (const agent of Object.keys(graph)) visit(agent);
  return cycles;
}

/**
 * Returns the agents whose words the agent's answer may be; several if a router chooses. Expects a graph
 * without cycles.
 */
export function terminalsOf(graph: Graph, agent: string): string[] {
  const { handoff, router } = entryOf(graph, agent) ?? {};
  if (handoff !== undefined) return terminalsOf(graph, handoff);
  if (router === undefined) return [agent];
  const { destinations, mayAnswer } = router;
  const chosen = destinations.flatMap((one) => terminalsOf(graph, one));
  return [...new Set([...(mayAnswer ? [agent] : []), ...chosen])];
}

/** Formats the pattern for lists of agents: `session`, `router · handoff`, `advisors · team`. */
export function patternOf({ advisors, router, team, handoff }: Links): string {
  const words = [
    ...(advisors ? ['advisors'] : []),
    ...(router ? ['router'] : []),
    ...(team ? ['team'] : []),
    ...(handoff ? ['handoff'] : []),
  ];
  return words.length === 0 ? 'session' : words.join(' · ');
}
