/** Builds the HTML report of a run of agents: the answer, the tree, and all calls. */

import type {
  Answer,
  Block,
  Graph,
  GraphNode,
  PageBuilder,
  Relation,
  Row,
  Section,
  Tone,
} from '../../../html-report/parts.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { isAllOnPlan, ON_PLAN } from '../../../kernel/providers/spec.ts';
import type { CallView } from '../../../kernel/view.ts';
import { nestHeadings } from '../../../plain/markdown.ts';
import { leadingSentence } from '../../../text/answers/first-sentence.ts';
import { formatMs, formatTokens, formatUsd } from '../../../text/numbers.ts';
import {
  type AgentsView,
  type AgentView,
  agentsOf,
  findAgentOfStep,
  getDurationMs,
  listAgents,
} from '../fold.ts';
import { formatAgentState, formatCall } from './report.ts';

/** Builds the HTML report of an agent run. */
export const page: PageBuilder = ({ facts, view }) => {
  const agents = agentsOf(facts);
  const root = entryOf(agents.agents, agents.root ?? '');
  const graph = treeGraph(agents);
  return {
    answers: [answerOf(agents, root)],
    sections: [
      ...(root?.state === 'done' && root.text !== undefined
        ? [section('Answer', { kind: 'markdown', text: nestHeadings(root.text) })]
        : []),
      ...(graph === undefined ? [] : [section('Who worked for whom', { kind: 'graph', graph })]),
      section('Agents', {
        kind: 'table',
        table: {
          about: 'Each agent, with the agents it called.',
          head: ['agent', 'why', 'how it ended', '>in', '>out', '>cost', '>time', '>calls'],
          rows: listAgents(agents).map(({ agent, depth }) => agentRow(agent, depth)),
        },
      }),
      {
        title: 'What was said',
        blocks: Object.values(view.calls).map((call) => callBlock(call, agents)),
      },
    ],
  };
};

function section(title: string, block: Block): Section {
  return { title, blocks: [block] };
}

function answerOf({ agents }: AgentsView, root: AgentView | undefined): Answer {
  const all = Object.values(agents);
  const done = all.filter(({ state }) => state === 'done').length;
  const heard = `${done} of ${all.length} agents finished.`;
  if (root?.text === undefined || root.state !== 'done')
    return {
      title: 'Answer',
      heard: [heard],
      warnings: [`There is none${root?.reason === undefined ? '' : `: ${root.reason}`}.`],
    };
  return {
    title: `Answer of ${root.answeredBy ?? root.agent}`,
    text: leadingSentence(root.text),
    heard: [heard],
  };
}

const TONES: Readonly<Record<AgentView['state'], Tone>> = {
  done: 'good',
  running: 'open',
  stopped: 'gone',
  failed: 'bad',
  'timed-out': 'bad',
};

function agentRow(agent: AgentView, depth: number): Row {
  const { input, output, estimated } = agent.all.usage;
  const { costUsd, unpriced, calls } = agent.all;
  return {
    anchor: agent.path,
    cells: [
      `${'· '.repeat(depth)}${agent.agent}`,
      `${agent.why}${agent.cycle === undefined ? '' : ` in cycle ${agent.cycle}`}`,
      { text: formatAgentState(agent), tone: TONES[agent.state] },
      formatTokens(input, estimated),
      formatTokens(output, estimated),
      isAllOnPlan(agent.all)
        ? ON_PLAN
        : unpriced === 0
          ? formatUsd(costUsd, estimated)
          : `${formatUsd(costUsd, estimated)}, ${unpriced} not known`,
      agent.endedAt === undefined ? '' : formatMs(getDurationMs(agent, Date.parse(agent.endedAt))),
      String(calls),
    ],
  };
}

/** The words of edges for the reasons why agents were given tasks. */
const WHY: Readonly<Record<AgentView['why'], Relation & { readonly relation: string }>> = {
  root: { relation: 'asked', forth: 'asked', back: 'asked by' },
  advisor: { relation: 'advised', forth: 'advised by', back: 'advises' },
  routed: { relation: 'routed', forth: 'routed to', back: 'routed from' },
  'handed-off': { relation: 'handed off', forth: 'handed off to', back: 'handed off by' },
  member: { relation: 'teamed', forth: 'has the member', back: 'a member of' },
  supervisor: { relation: 'supervised', forth: 'supervised by', back: 'supervises' },
};

/** Returns the graph; undefined if a single agent worked alone. */
function treeGraph(agents: AgentsView): Graph | undefined {
  const all = listAgents(agents);
  if (all.length < 2) return undefined;
  const kinds = [
    ...new Set(all.flatMap(({ agent }) => (agent.parent === undefined ? [] : agent.why))),
  ];
  return {
    about: 'Who called whom, with the results.',
    lanes: [],
    columns: Array.from({ length: Math.max(...all.map(({ depth }) => depth)) + 1 }, (_one, at) =>
      at === 0 ? 'Asked by you' : `Step ${at + 1}`,
    ),
    kinds: { agent: 'box' },
    relations: Object.fromEntries(kinds.map((why) => [WHY[why].relation, WHY[why]])),
    nodes: all.map(
      ({ agent, depth }): GraphNode => ({
        id: agent.path,
        name: agent.agent,
        kind: 'agent',
        about: leadingSentence(agent.text ?? '') ?? agent.reason ?? 'no answer',
        column: depth,
        tone: TONES[agent.state],
        standing: formatAgentState(agent),
      }),
    ),
    edges: all.flatMap(({ agent: { path, parent, why } }) =>
      parent === undefined ? [] : [{ from: parent, to: path, kind: WHY[why].relation }],
    ),
  };
}

function callBlock(call: CallView, agents: AgentsView): Block {
  const path = findAgentOfStep(agents, call.step);
  const agent = path === undefined ? undefined : entryOf(agents.agents, path);
  return {
    kind: 'folded',
    title: `${agent?.agent ?? call.seat} (${call.model}): ${call.step}`,
    blocks: [{ kind: 'markdown', text: formatCall(call, agent).join('\n\n') }],
  };
}
