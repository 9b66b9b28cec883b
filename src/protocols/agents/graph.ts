/**
 * Agents and how they work together, as it stands in a run's settings: names resolved, nothing left to
 * look up in files. Each agent knows only those it deals with itself; what the whole does follows.
 */

import * as z from 'zod';
import { entryOf } from '../../kernel/entry.ts';

const id = z.string().min(1);
const count = z.number().int().positive();

export const TERMINATION_MODES = ['consensus', 'maxRounds', 'coordinatorDecides'] as const;

const advisorsSchema = z.object({
  agents: z.array(id).min(1),
  /** How many of them must have answered, or the agent fails without being asked. */
  required: z.union([z.enum(['all', 'any']), z.number().int().nonnegative()]),
  /** For each of them, with all that it sets to work. Absent: as long as it takes. */
  timeoutMs: count.optional(),
});

const routerSchema = z.object({
  destinations: z.array(id).min(1),
  /** It may choose itself. */
  mayAnswer: z.boolean(),
});

const teamSchema = z.object({
  members: z.array(id).min(1),
  /** The agent itself, or another one. */
  supervisor: id,
  memberMaxTurns: count,
  supervisorMaxTurns: count,
  terminationMode: z.enum(TERMINATION_MODES),
  /** Cycles: in each, every member speaks and then the supervisor. */
  maxRounds: count,
});

export const linksSchema = z.object({
  advisors: advisorsSchema.optional(),
  router: routerSchema.optional(),
  team: teamSchema.optional(),
  handoff: id.optional(),
});
/** What links an agent to others. */
export type Links = z.infer<typeof linksSchema>;
export type Advisors = z.infer<typeof advisorsSchema>;
export type Router = z.infer<typeof routerSchema>;
export type Team = z.infer<typeof teamSchema>;
/** By the agent's id. */
export type Graph = Readonly<Record<string, Links>>;

/** A link from an agent to another, by what the other is to it. */
export interface Link {
  readonly by: 'advisor' | 'destination' | 'member' | 'supervisor' | 'handoff';
  readonly to: string;
}

/** In the order in which they are heard: advisors, then router or team, then handoff. */
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

/** The agent and everybody it may set to work, itself first. */
export function reachable(graph: Graph, root: string): string[] {
  const found = new Set([root]);
  for (const agent of found)
    for (const { to } of linksOf(agent, entryOf(graph, agent) ?? {}))
      if (entryOf(graph, to) !== undefined) found.add(to);
  return [...found];
}

/**
 * Every way in which an agent would come to work for itself, whatever links lead there: `[A, B, A]`.
 * Each agent is looked at once, so that cycles with a part in common may be told as one.
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

/** Those whose words the agent's answer may be: several where a router chooses. For graphs without cycles. */
export function terminalsOf(graph: Graph, agent: string): string[] {
  const { handoff, router } = entryOf(graph, agent) ?? {};
  if (handoff !== undefined) return terminalsOf(graph, handoff);
  if (router === undefined) return [agent];
  const { destinations, mayAnswer } = router;
  const chosen = destinations.flatMap((one) => terminalsOf(graph, one));
  return [...new Set([...(mayAnswer ? [agent] : []), ...chosen])];
}

/** `session`, `router · handoff`, `advisors · team`: for lists of agents. */
export function patternOf({ advisors, router, team, handoff }: Links): string {
  const words = [
    ...(advisors ? ['advisors'] : []),
    ...(router ? ['router'] : []),
    ...(team ? ['team'] : []),
    ...(handoff ? ['handoff'] : []),
  ];
  return words.length === 0 ? 'session' : words.join(' · ');
}
