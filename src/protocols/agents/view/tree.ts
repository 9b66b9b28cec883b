/**
 * The tab Tree for runs of agents: who gave tasks to whom and why, what each agent does or waits
 * for, and its tokens and cost including all agents below it.
 */

import type { RunModel } from '../../../console/model/run-model.ts';
import { formatCallCost, OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import { readCalls, readStep } from '../../../console/run/tabs/said.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { makeFoldedPart } from '../../../record-kinds/folded.ts';
import { formatMs, formatTokens } from '../../../text/numbers.ts';
import {
  type AgentsView,
  type AgentView,
  EMPTY_AGENTS,
  findAgentOfStep,
  foldAgents,
  getDurationMs,
  listAgents,
  listNamesWaitedFor,
} from '../fold.ts';

/** The functions by which the console computes the tree of agents (which works for which) from a run's facts. */
export const AGENTS_PART = makeFoldedPart(EMPTY_AGENTS, foldAgents, (_run, view) => view);

interface Line {
  readonly agent: AgentView;
  readonly depth: number;
}

const SIGNS: Readonly<Record<AgentView['state'], string>> = {
  running: '▮',
  done: '✓',
  failed: '✗',
  'timed-out': '✗',
  stopped: '■',
};

const WHY: Readonly<Record<AgentView['why'], string>> = {
  root: '',
  advisor: 'advises',
  routed: 'was chosen',
  'handed-off': 'takes over',
  member: 'member',
  supervisor: 'supervises',
};

/** Returns the console page that lists the agents of a run as a tree, for the tab Tree. */
export function makeAgentsPage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<Line>(around, {
    name: 'Agents',
    head: ['agent', 'time', 'tokens', 'cost', 'calls'],
    version: () => AGENTS_PART.version(runModel),
    lines: (query, folded) =>
      listAgents(AGENTS_PART.viewIn(runModel)).filter(
        ({ agent: { path } }) =>
          path.toLowerCase().includes(query) &&
          ![...folded].some((above) => path.startsWith(`${above}/`)),
      ),
    branch: ({ agent: { path, children } }) => (children.length === 0 ? undefined : path),
    runs: ({ agent }) => agent.speaking > 0,
    row: (line, folded, { now }) => rowOf(line, folded, runModel, now),
    tinted: tintRow,
    copyable: ({ agent: { agent, path, text } }) =>
      text === undefined || text.trim() === ''
        ? undefined
        : { name: path, title: agent, markdown: text },
    read: ({ agent }) => readAgent(agent, runModel),
  });
}

/**
 * Returns all texts of an agent. For an agent that only passed its request on, returns the answer
 * of the agent that received it.
 */
function readAgent(
  { agent, path, text = '', answeredBy }: AgentView,
  runModel: RunModel,
): ReadText {
  const view = AGENTS_PART.viewIn(runModel);
  const calls = Object.values(runModel.view.calls).filter(
    ({ step }) => findAgentOfStep(view, step) === path,
  );
  if (calls.length > 0) return readCalls(runModel, calls, path, agent);
  // For an agent that has made no call and has no answer, show the texts of the agents below it.
  if (text.trim() === '') return readStep(runModel, path, agent);
  const by = answeredBy === undefined || answeredBy === agent ? '' : ` · answered by ${answeredBy}`;
  return { name: path, title: `${agent}${by}`, markdown: text };
}

function rowOf(
  { agent, depth }: Line,
  folded: boolean,
  runModel: RunModel,
  now: number,
): { text: string; figures: readonly string[] } {
  const { all, children, endedAt } = agent;
  const view = AGENTS_PART.viewIn(runModel);
  const below = folded ? ` +${children.length}` : '';
  const doing = doingOf(agent, view);
  const took = getDurationMs(agent, now);
  const time = endedAt === undefined ? Math.floor(took / 1000) * 1000 : took;
  const saying = agent.state === 'running' ? runModel.spokenBelow(agent.path) : 0;
  const tokens = formatTokens(
    all.usage.input + all.usage.output + saying,
    all.usage.estimated === true || saying > 0,
  );
  return {
    text: `${'  '.repeat(depth)}${SIGNS[agent.state]} ${agent.agent}${below}${doing && `  ${doing}`}`,
    figures: [formatMs(time), tokens, formatCallCost(all, all.usage.estimated), String(all.calls)],
  };
}

/** Formats what an agent does: `was chosen · team, cycle 2 · waits for operator, skeptic`. */
function doingOf(agent: AgentView, view: AgentsView): string {
  const { why, cycle, pattern, route, ended, handoff, state } = agent;
  const waits = listNamesWaitedFor(view, agent);
  const rounds = entryOf(view.agents, agent.children.at(-1) ?? '')?.cycle;
  const team =
    ended === undefined
      ? `team${rounds === undefined ? '' : `, cycle ${rounds}`}`
      : `team, ${ended.cycles} ${ended.cycles === 1 ? 'cycle' : 'cycles'}: ${ended.how}`;
  return [
    WHY[why] + (cycle === undefined ? '' : ` in cycle ${cycle}`),
    pattern === 'router' ? `router${route === undefined ? '' : ` → ${route.choice}`}` : '',
    pattern === 'team' ? team : '',
    agent.speaking > 0 ? 'speaks' : '',
    waits.length > 0 ? `waits for ${waits.join(', ')}` : '',
    handoff === undefined ? '' : `hands off to ${handoff}`,
    state === 'failed' || state === 'timed-out' ? (agent.reason ?? state) : '',
    agent.compactions.length > 0 ? 'its discussion was shortened' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function tintRow({ agent, depth }: Line, row: string, theme: Theme): string {
  if (agent.state === 'failed' || agent.state === 'timed-out') return theme.tone('red', row);
  if (agent.state === 'stopped') return theme.tone('yellow', row);
  if (agent.speaking > 0) return theme.tone('green', row);
  return depth === 0 ? theme.bold(row) : row;
}
