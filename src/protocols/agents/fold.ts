/**
 * The fold of orchestrated agents: a tree of who works for whom, what links them, who waits for whom, and
 * what each took with all below it. The figures follow from the calls in the log, so that a call that
 * was stopped, failed, or was asked twice is in the sum of everybody above it.
 */

import { entryOf } from '../../kernel/entry.ts';
import { addSpent, NO_SPENDING, type Spent, spentBy } from '../../kernel/usage.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { AGENTS, type Fact, type FactOf } from './facts.ts';

type Started = FactOf<'agent.started'>;
type Completed = FactOf<'agent.completed'>;
type Broadcast = Fact & FactOf<'team.broadcast'>;
type Ended = FactOf<'team.ended'>;

export interface AgentView {
  readonly path: string;
  readonly agent: string;
  readonly pattern: Started['pattern'];
  readonly why: Started['why'];
  readonly parent?: string | undefined;
  readonly cycle?: number | undefined;
  readonly handoff?: string | undefined;
  /** Paths of those it set to work, in the order in which they began. */
  readonly children: readonly string[];
  /** `stopped`: nobody works on the run any more, and it had not come to its end. */
  readonly state: 'running' | 'stopped' | Completed['status'];
  /** Its own calls that run now. */
  readonly speaking: number;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  /** Of the time since it began, what nobody worked: the program was gone, or it was asked again later. */
  readonly restedMs: number;
  /** Of its own calls; `all`: and of everybody below it. */
  readonly own: Spent;
  readonly all: Spent;
  readonly text?: string | undefined;
  readonly answeredBy?: string | undefined;
  readonly reason?: string | undefined;
  readonly failedSteps: readonly string[];
  readonly route?: Pick<FactOf<'route.chosen'>, 'choice' | 'reason' | 'message'> | undefined;
  readonly broadcasts: readonly Broadcast[];
  readonly compactions: readonly FactOf<'team.compacted'>[];
  readonly ended?: Pick<Ended, 'how' | 'why' | 'cycles'> | undefined;
}

export interface AgentsView {
  /** The path of whoever was asked by the person; absent before it began. */
  readonly root?: string | undefined;
  /** By path, in the order in which they began. */
  readonly agents: Readonly<Record<string, AgentView>>;
  /** When the log last told of agents: a program that was killed says no more than that. */
  readonly lastAt?: string | undefined;
}

export const EMPTY_AGENTS: AgentsView = { agents: {} };

/** All facts of a run, folded. */
export function agentsOf(facts: Iterable<AnyFact>): AgentsView {
  let view = EMPTY_AGENTS;
  for (const one of facts) view = foldAgents(view, one);
  return view;
}

/** One fact more; the same view where it says nothing of agents. */
export function foldAgents(view: AgentsView, one: AnyFact): AgentsView {
  const next = foldFact(view, one);
  return next === view ? view : { ...next, lastAt: one.at };
}

/** How long an agent was at work, with all that it waited for, in milliseconds. `now`: of one that still is. */
export function tookMs({ startedAt, endedAt, restedMs }: AgentView, now: number): number {
  const end = endedAt === undefined ? now : Date.parse(endedAt);
  return Math.max(0, end - Date.parse(startedAt) - restedMs);
}

function foldFact(view: AgentsView, any: AnyFact): AgentsView {
  const one = AGENTS.own(any);
  switch (one?.type) {
    case 'agent.started':
      return addAgent(view, one);
    case 'agent.completed':
      return changeAgent(without(view, one.path, one.at), one.path, () => ({
        state: one.status,
        endedAt: one.at,
        text: one.text,
        answeredBy: one.answeredBy,
        reason: one.reason,
        failedSteps: one.failedSteps,
      }));
    case 'route.chosen': {
      const { choice, reason, message } = one;
      return changeAgent(view, one.path, () => ({ route: { choice, reason, message } }));
    }
    case 'team.broadcast':
      return changeAgent(view, one.path, ({ broadcasts }) => ({
        broadcasts: [
          ...broadcasts.filter(({ cycle, from }) => cycle !== one.cycle || from !== one.from),
          one,
        ],
      }));
    case 'team.compacted':
      return changeAgent(view, one.path, ({ compactions }) => ({
        compactions: [...compactions.filter(({ cycle }) => cycle !== one.cycle), one],
      }));
    case 'team.ended': {
      const { how, why, cycles } = one;
      return changeAgent(view, one.path, () => ({ ended: { how, why, cycles } }));
    }
    case 'step.started':
      return one.kind === 'call' ? speaking(view, one.step, 1, one.at) : view;
    case 'call.completed':
    case 'call.failed':
    case 'call.stopped':
      return countSpent(speaking(view, one.step, -1, one.at), one.step, spentBy(one));
    case 'run.resumed':
      return everyone(view, (agent) =>
        (agent.state === 'stopped' || agent.state === 'running') && !isGivenUp(view, agent)
          ? atWork(agent, one.at, agent.endedAt ?? view.lastAt)
          : {},
      );
    case 'run.ended':
      return everyone(view, (agent) => ({
        speaking: 0,
        ...(agent.state === 'running' ? { state: 'stopped', endedAt: one.at } : {}),
      }));
    default:
      return view;
  }
}

/** Those who have not come to their end and for whom this one waits, by name. */
export function waitingFor(view: AgentsView, agent: AgentView): string[] {
  if (agent.state !== 'running') return [];
  return agent.children.flatMap((path) => {
    const child = entryOf(view.agents, path);
    return child?.state === 'running' ? [child.agent] : [];
  });
}

/** The agents below one another as they are listed, the root first, each with how deep it stands. */
export function listAgents(view: AgentsView): { agent: AgentView; depth: number }[] {
  const list: { agent: AgentView; depth: number }[] = [];
  const visit = (path: string | undefined, depth: number): void => {
    const agent = path === undefined ? undefined : entryOf(view.agents, path);
    if (agent === undefined) return;
    list.push({ agent, depth });
    for (const child of agent.children) visit(child, depth + 1);
  };
  visit(view.root, 0);
  return list;
}

/** The path of the agent that a step belongs to: the longest one that the step lies below. */
export function agentOf(view: AgentsView, step: string): string | undefined {
  for (let end = step.lastIndexOf('/'); end > 0; end = step.lastIndexOf('/', end - 1)) {
    const path = step.slice(0, end);
    if (entryOf(view.agents, path) !== undefined) return path;
  }
  return undefined;
}

function addAgent(view: AgentsView, one: Fact & Started): AgentsView {
  const { path, agent, pattern, why, parent, cycle, handoff } = one;
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
    startedAt: one.at,
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

function everyone(view: AgentsView, change: (agent: AgentView) => Partial<AgentView>): AgentsView {
  return {
    ...view,
    agents: Object.fromEntries(
      Object.entries(view.agents).map(([path, agent]) => [path, { ...agent, ...change(agent) }]),
    ),
  };
}

/** Whoever an agent had set to work and no longer waits for: its time was up. */
function without(view: AgentsView, path: string, at: string): AgentsView {
  return everyone(view, (agent) =>
    agent.state === 'running' && agent.path.startsWith(`${path}/`)
      ? { state: 'stopped', endedAt: at }
      : {},
  );
}

/** Who speaks is at work, and so is everybody who waits for it: also where a failed call is asked again. */
function speaking(view: AgentsView, step: string, by: 1 | -1, at: string): AgentsView {
  const path = agentOf(view, step);
  let heard = view;
  if (path === undefined) return view;
  for (let above: string | undefined = path; by > 0 && above !== undefined; ) {
    heard = changeAgent(heard, above, (agent) => atWork(agent, at, agent.endedAt));
    above = entryOf(heard.agents, above)?.parent;
  }
  return changeAgent(heard, path, (agent) => ({ speaking: Math.max(0, agent.speaking + by) }));
}

/** Whoever had set it to work, at whatever distance, came to an end without it. */
function isGivenUp(view: AgentsView, { parent }: AgentView): boolean {
  const above = parent === undefined ? undefined : entryOf(view.agents, parent);
  if (above === undefined) return false;
  return (above.state !== 'running' && above.state !== 'stopped') || isGivenUp(view, above);
}

/** An agent that goes on at `at`. `since`: it rested from then on; undefined where it did not. */
function atWork(
  { restedMs }: AgentView,
  at: string,
  since: string | undefined,
): Partial<AgentView> {
  const rested = since === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(since));
  return { state: 'running', endedAt: undefined, restedMs: restedMs + rested };
}

function countSpent(view: AgentsView, step: string, spent: Spent): AgentsView {
  const path = agentOf(view, step);
  if (path === undefined) return view;
  let counting = changeAgent(view, path, ({ own }) => ({ own: addSpent(own, spent) }));
  for (let above: string | undefined = path; above !== undefined; ) {
    counting = changeAgent(counting, above, ({ all }) => ({ all: addSpent(all, spent) }));
    above = entryOf(counting.agents, above)?.parent;
  }
  return counting;
}
