/**
 * The fold of orchestrated agents: the tree of tasks, with the link between two agents, the agents
 * that wait for each other, and the tokens and cost of each agent including all agents below it.
 * Tokens and cost are summed from the calls in the log, so that stopped, failed and repeated calls
 * count for every agent above them.
 */

import { entryOf } from '../../kernel/entry.ts';
import type { SpentTotal } from '../../kernel/model.ts';
import { addSpent, getSpending, NO_SPENDING } from '../../kernel/usage.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { AGENTS, type Fact, type FactOf } from './facts.ts';

type Started = FactOf<'agent.started'>;
type Completed = FactOf<'agent.completed'>;
type Broadcast = Fact & FactOf<'team.broadcast'>;
type Ended = FactOf<'team.ended'>;

/** An agent in the tree of a run: its task, state, cost and answer. */
export interface AgentView {
  readonly path: string;
  readonly agent: string;
  readonly pattern: Started['pattern'];
  /** Why the agent was given its task, such as `advisor`. */
  readonly why: Started['why'];
  /** The path of the agent that gave the task. Absent for the agent that the person named. */
  readonly parent?: string | undefined;
  /** The round of the team's discussion, from 1. */
  readonly cycle?: number | undefined;
  /** The agent that takes over the answer. */
  readonly handoff?: string | undefined;
  /** The paths of the agents to which this agent gave tasks, in the order in which they started. */
  readonly children: readonly string[];
  /** The agent's state. `stopped`: the run or an agent above ended before this agent had ended. */
  readonly state: 'running' | 'stopped' | Completed['status'];
  /** How many of the agent's own calls are running. */
  readonly speaking: number;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  /** Milliseconds since the agent's start in which it did not work, such as while the run was interrupted. */
  readonly restedMs: number;
  /** Tokens and cost of the agent's own calls. */
  readonly own: SpentTotal;
  /** Tokens and cost of the agent's own calls and of the calls of all agents below. */
  readonly all: SpentTotal;
  /** The answer. Absent until the agent has ended, and empty if it failed. */
  readonly text?: string | undefined;
  /** The agent that wrote the answer. */
  readonly answeredBy?: string | undefined;
  /** Why there is no answer. */
  readonly reason?: string | undefined;
  /** The keys of the failed calls, and the paths of timed-out agents, because of which there is no answer. */
  readonly failedSteps: readonly string[];
  /** Which agent a router chose, and why. */
  readonly route?: Pick<FactOf<'route.chosen'>, 'choice' | 'reason' | 'message'> | undefined;
  /** The messages of the team that this agent has, of members and supervisor: one of each speaker in each cycle. */
  readonly broadcasts: readonly Broadcast[];
  /** How the team's discussion was shortened for prompts: the latest way for each cycle. */
  readonly compactions: readonly FactOf<'team.compacted'>[];
  /** How the team's discussion ended. */
  readonly ended?: Pick<Ended, 'how' | 'why' | 'cycles'> | undefined;
}

/** All agents of a run. */
export interface AgentsView {
  /** The path of the agent that the person named. Absent until this agent has started. */
  readonly root?: string | undefined;
  /** The agents by path, in the order in which they started. */
  readonly agents: Readonly<Record<string, AgentView>>;
  /**
   * The time of the latest fact about agents. If the program was killed, this time counts as the
   * end of the work.
   */
  readonly lastAt?: string | undefined;
}

/** The state before any agent has started. */
export const EMPTY_AGENTS: AgentsView = { agents: {} };

/** Computes the tree of agents from all facts of a run. */
export function agentsOf(facts: Iterable<AnyFact>): AgentsView {
  let view = EMPTY_AGENTS;
  for (const fact of facts) view = foldAgents(view, fact);
  return view;
}

/**
 * Updates the tree of agents by one fact. Returns the same object for a fact of a type that never concerns agents.
 */
export function foldAgents(view: AgentsView, fact: AnyFact): AgentsView {
  const next = foldFact(view, fact);
  return next === view ? view : { ...next, lastAt: fact.at };
}

/**
 * Returns how many milliseconds have passed since an agent's start, up to its end. Time in which the agent did not
 * work, such as while the run was interrupted, does not count.
 * @param now the current time, for an agent that has not ended
 */
export function getDurationMs({ startedAt, endedAt, restedMs }: AgentView, now: number): number {
  const end = endedAt === undefined ? now : Date.parse(endedAt);
  return Math.max(0, end - Date.parse(startedAt) - restedMs);
}

function foldFact(view: AgentsView, any: AnyFact): AgentsView {
  const fact = AGENTS.own(any);
  switch (fact?.type) {
    case 'agent.started':
      return addAgent(view, fact);
    case 'agent.completed':
      return changeAgent(endAbandoned(view, fact.path, fact.at), fact.path, () => ({
        state: fact.status,
        endedAt: fact.at,
        text: fact.text,
        answeredBy: fact.answeredBy,
        reason: fact.reason,
        failedSteps: fact.failedSteps,
      }));
    case 'route.chosen': {
      const { choice, reason, message } = fact;
      return changeAgent(view, fact.path, () => ({ route: { choice, reason, message } }));
    }
    case 'team.broadcast':
      return changeAgent(view, fact.path, ({ broadcasts }) => ({
        broadcasts: [
          ...broadcasts.filter(({ cycle, from }) => cycle !== fact.cycle || from !== fact.from),
          fact,
        ],
      }));
    case 'team.compacted':
      return changeAgent(view, fact.path, ({ compactions }) => ({
        compactions: [...compactions.filter(({ cycle }) => cycle !== fact.cycle), fact],
      }));
    case 'team.ended': {
      const { how, why, cycles } = fact;
      return changeAgent(view, fact.path, () => ({ ended: { how, why, cycles } }));
    }
    case 'step.started':
      return fact.kind === 'call' ? changeSpeaking(view, fact.step, 1, fact.at) : view;
    case 'call.completed':
    case 'call.failed':
    case 'call.stopped':
      return countSpent(changeSpeaking(view, fact.step, -1, fact.at), fact.step, getSpending(fact));
    case 'run.resumed':
      return changeAll(view, (agent) =>
        (agent.state === 'stopped' || agent.state === 'running') && !hasEndedAbove(view, agent)
          ? resumedAt(agent, fact.at, agent.endedAt ?? view.lastAt)
          : {},
      );
    case 'run.ended':
      return changeAll(view, (agent) => ({
        speaking: 0,
        ...(agent.state === 'running' ? { state: 'stopped', endedAt: fact.at } : {}),
      }));
    default:
      return view;
  }
}

/** Returns the names of the running agents whose answers this agent waits for; none if it is not running itself. */
export function listNamesWaitedFor(view: AgentsView, agent: AgentView): string[] {
  if (agent.state !== 'running') return [];
  return agent.children.flatMap((path) => {
    const child = entryOf(view.agents, path);
    return child?.state === 'running' ? [child.agent] : [];
  });
}

/**
 * Returns the agents in the order of the tree, each with its depth. The root is first, with depth
 * 0.
 */
export function listAgents(view: AgentsView): { agent: AgentView; depth: number }[] {
  const list: { agent: AgentView; depth: number }[] = [];
  const visitAgent = (path: string | undefined, depth: number): void => {
    const agent = path === undefined ? undefined : entryOf(view.agents, path);
    if (agent === undefined) return;
    list.push({ agent, depth });
    for (const child of agent.children) visitAgent(child, depth + 1);
  };
  visitAgent(view.root, 0);
  return list;
}

/**
 * Returns the path of the agent to which a step belongs, the innermost one, or undefined if it belongs to none.
 * @param step the step's key
 */
export function findAgentOfStep(view: AgentsView, step: string): string | undefined {
  for (let end = step.lastIndexOf('/'); end > 0; end = step.lastIndexOf('/', end - 1)) {
    const path = step.slice(0, end);
    if (entryOf(view.agents, path) !== undefined) return path;
  }
  return undefined;
}

function addAgent(view: AgentsView, fact: Fact & Started): AgentsView {
  const { path, agent, pattern, why, parent, cycle, handoff } = fact;
  const before = entryOf(view.agents, path);
  const begun: AgentView = {
    path,
    agent,
    pattern,
    why,
    parent,
    cycle,
    handoff,
    children: before?.children ?? [],
    state: 'running',
    speaking: 0,
    startedAt: fact.at,
    restedMs: 0,
    own: before?.own ?? NO_SPENDING,
    all: before?.all ?? NO_SPENDING,
    failedSteps: [],
    broadcasts: before?.broadcasts ?? [],
    compactions: before?.compactions ?? [],
  };
  const known = { ...view, agents: { ...view.agents, [path]: begun } };
  if (parent === undefined) return { ...known, root: path };
  return changeAgent(known, parent, ({ children }) => ({
    children: children.includes(path) ? children : [...children, path],
  }));
}

function changeAgent(
  view: AgentsView,
  path: string,
  change: (agent: AgentView) => Partial<AgentView>,
): AgentsView {
  const agent = entryOf(view.agents, path);
  if (agent === undefined) return view;
  return { ...view, agents: { ...view.agents, [path]: { ...agent, ...change(agent) } } };
}

function changeAll(view: AgentsView, change: (agent: AgentView) => Partial<AgentView>): AgentsView {
  return {
    ...view,
    agents: Object.fromEntries(
      Object.entries(view.agents).map(([path, agent]) => [path, { ...agent, ...change(agent) }]),
    ),
  };
}

/**
 * Marks the agents below a completed agent that are still running as stopped, because the completed
 * agent no longer waits for them.
 */
function endAbandoned(view: AgentsView, path: string, at: string): AgentsView {
  return changeAll(view, (agent) =>
    agent.state === 'running' && agent.path.startsWith(`${path}/`)
      ? { state: 'stopped', endedAt: at }
      : {},
  );
}

/**
 * Updates the number of running calls of the agent that made a call. If a call begins, also marks
 * this agent and all agents that wait for it as running again.
 */
function changeSpeaking(view: AgentsView, step: string, by: 1 | -1, at: string): AgentsView {
  const path = findAgentOfStep(view, step);
  let heard = view;
  if (path === undefined) return view;
  for (let above: string | undefined = path; by > 0 && above !== undefined; ) {
    heard = changeAgent(heard, above, (agent) => resumedAt(agent, at, agent.endedAt));
    above = entryOf(heard.agents, above)?.parent;
  }
  return changeAgent(heard, path, (agent) => ({ speaking: Math.max(0, agent.speaking + by) }));
}

/** Returns whether an agent further up in the tree has ended without waiting for this agent. */
function hasEndedAbove(view: AgentsView, { parent }: AgentView): boolean {
  const above = parent === undefined ? undefined : entryOf(view.agents, parent);
  if (above === undefined) return false;
  return (above.state !== 'running' && above.state !== 'stopped') || hasEndedAbove(view, above);
}

/**
 * Returns the state of an agent that continues its work at the time `at`.
 * @param since the time since which the agent did not work; undefined if it worked without a pause
 */
function resumedAt(
  { restedMs }: AgentView,
  at: string,
  since: string | undefined,
): Partial<AgentView> {
  const rested = since === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(since));
  return { state: 'running', endedAt: undefined, restedMs: restedMs + rested };
}

function countSpent(view: AgentsView, step: string, spent: SpentTotal): AgentsView {
  const path = findAgentOfStep(view, step);
  if (path === undefined) return view;
  let counting = changeAgent(view, path, ({ own }) => ({ own: addSpent(own, spent) }));
  for (let above: string | undefined = path; above !== undefined; ) {
    counting = changeAgent(counting, above, ({ all }) => ({ all: addSpent(all, spent) }));
    above = entryOf(counting.agents, above)?.parent;
  }
  return counting;
}
