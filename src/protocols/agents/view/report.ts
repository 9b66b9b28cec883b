/** A run of agents as sections of a report: the answer, the tree of agents with their cost, and all calls. */

import { entryOf } from '../../../kernel/entry.ts';
import type { CallView } from '../../../kernel/view.ts';
import {
  type Answer,
  type Graph,
  type GraphNode,
  makeFoldedSection,
  makeSection,
  type Relation,
  type RunReport,
  type Section,
} from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { whyNoAnswer } from '../../../plain/naming.ts';
import type { ProtocolReport, RecordedRun } from '../../../plain/protocol-text.ts';
import { recordSections } from '../../../record-kinds/section.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { leadingSentence } from '../../../text/answers/first-sentence.ts';
import { type AgentsView, type AgentView, agentsOf, findAgentOfStep, listAgents } from '../fold.ts';
import { answerWords } from './answers.ts';
import { isChoice } from './lines.ts';
import { formatAgentState, RECORDS, TONES } from './records.ts';

/** The function that builds the report of an agent run: the answer, and each agent with its task and cost. */
export const report: ProtocolReport = { build: agentReport };

/**
 * Returns what a report tells of a run of agents. Missing answers are listed beside each agent, and
 * not again at the end.
 */
function agentReport({ facts, view }: RecordedRun): RunReport {
  const agents = agentsOf(facts);
  const root = entryOf(agents.agents, agents.root ?? '');
  const graph = treeGraph(agents);
  const said = root?.state === 'done' ? (root.text ?? '') : '';
  return {
    answers: [answerOf(agents, root)],
    sections: [
      makeSection('Answer', { kind: 'said', text: said }),
      makeSection('Who worked for whom', graph === undefined ? '' : { kind: 'graph', graph }),
      ...recordSections(RECORDS, agents),
      makeSection(
        'What was said',
        ...Object.values(view.calls).map((call) => formatCall(call, agents)),
      ),
    ],
  };
}

function answerOf({ agents }: AgentsView, root: AgentView | undefined): Answer {
  const all = Object.values(agents);
  const done = all.filter(({ state }) => state === 'done').length;
  const heard = [`${done} of ${all.length} agents finished.`];
  if (root?.text === undefined || root.state !== 'done')
    return {
      title: 'Answer',
      basisLines: heard,
      warnings: [`There is none${root?.reason === undefined ? '' : `: ${root.reason}`}.`],
    };
  return {
    title: `Answer of ${root.answeredBy ?? root.agent}`,
    text: leadingSentence(root.text),
    basisLines: heard,
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

/** Returns a call's text, with a note if the text is incomplete or missing. */
function formatCall(call: CallView, agents: AgentsView): Section {
  const path = findAgentOfStep(agents, call.step);
  const agent = path === undefined ? undefined : entryOf(agents.agents, path);
  const missing = whyNoAnswer(call, false);
  return makeFoldedSection(
    `${agent?.agent ?? call.seat} (${call.model}): ${call.step}`,
    agent?.route !== undefined && isChoice(call)
      ? escapeLine(
          `Sends it to ${agent.route.choice}: ${agent.route.reason}${agent.route.message ? ` It adds: ${agent.route.message}` : ''}`,
        )
      : { kind: 'said', text: formatAnswer(call, answerWords) },
    missing === undefined ? '' : `_${escapeLine(missing)}_`,
    call.notes.length === 0 ? '' : `_Notes: ${call.notes.map(escapeLine).join('; ')}_`,
  );
}
