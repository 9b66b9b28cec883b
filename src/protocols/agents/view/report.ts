/** A run of agents as sections of a report. */

import { entryOf } from '../../../kernel/entry.ts';
import { isAllOnPlan, ON_PLAN } from '../../../kernel/providers/spec.ts';
import type { CallView, RunView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { nestHeadings, words } from '../../../plain/markdown.ts';
import { whyNoAnswer } from '../../../plain/naming.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { leadingSentence } from '../../../text/answers/first-sentence.ts';
import { line } from '../../../text/line.ts';
import { formatMs, formatTokens, formatUsd, plural } from '../../../text/numbers.ts';
import {
  type AgentsView,
  type AgentView,
  agentsOf,
  findAgentOfStep,
  getDurationMs,
  listAgents,
} from '../fold.ts';
import { answerWords } from './answers.ts';
import { isChoice } from './lines.ts';

/**
 * Returns the final answer in one sentence for the top of a report, as a list of one item. The list
 * is empty if there is no answer.
 */
export function formatAgentLead(facts: readonly AnyFact[]): string[] {
  const { agents, root = '' } = agentsOf(facts);
  const { state, text = '' } = entryOf(agents, root) ?? {};
  const sentence = state === 'done' ? leadingSentence(text) : undefined;
  return sentence === undefined ? [] : [`**Answer: ${words(sentence)}**`];
}

/**
 * Returns the sections of a Markdown report: the answer, the tree of agents with their cost, and
 * all calls.
 */
export function formatAgentSections(view: RunView, facts: readonly AnyFact[]): string[] {
  const agents = agentsOf(facts);
  return [
    ...answer(entryOf(agents.agents, agents.root ?? '')),
    '## Tree',
    listAgents(agents)
      .map(({ agent, depth }) => `${'  '.repeat(depth)}- ${treeLine(agent)}`)
      .join('\n') || 'No agent started.',
    ...texts(view, agents),
  ];
}

function answer(root: AgentView | undefined): string[] {
  if (root?.text === undefined || root.state !== 'done')
    return [
      '## Answer',
      `There is none${root?.reason === undefined ? '' : `: ${line(root.reason)}`}.`,
    ];
  return [`## Answer of ${line(root.answeredBy ?? root.agent)}`, nestHeadings(root.text)];
}

/** Formats how an agent ended: `done; answered by editor`. */
export function formatAgentState(agent: AgentView): string {
  return [
    agent.state === 'timed-out' ? 'timed out' : agent.state,
    ...(agent.answeredBy !== undefined && agent.answeredBy !== agent.agent
      ? [`answered by ${line(agent.answeredBy)}`]
      : []),
    ...(agent.reason === undefined ? [] : [line(agent.reason)]),
    ...(agent.route === undefined
      ? []
      : [`chose ${line(agent.route.choice)}: ${line(agent.route.reason)}`]),
    ...(agent.ended === undefined
      ? []
      : [
          `team ended after ${plural(agent.ended.cycles, 'cycle')} (${agent.ended.how}): ${line(agent.ended.why)}`,
        ]),
    ...agent.compactions.map(
      ({ cycle: from, messages }) =>
        `from cycle ${from} on the first ${messages} messages were shortened`,
    ),
  ].join('; ');
}

/** Formats `**writer**, routed: done, answered by editor · 4.1k tokens · $0.004 · 12s · 2 calls`. */
function treeLine(agent: AgentView): string {
  const { all, endedAt, cycle, why } = agent;
  const { input, output, estimated } = all.usage;
  const usd = formatUsd(all.costUsd, estimated);
  const cost = isAllOnPlan(all)
    ? ON_PLAN
    : all.unpriced === 0
      ? usd
      : `${usd} and ${plural(all.unpriced, 'call')} of unknown price`;
  return [
    `**${line(agent.agent)}**, ${why}${cycle === undefined ? '' : ` in cycle ${cycle}`}: ${formatAgentState(agent)}`,
    `${formatTokens(input, estimated)} in, ${formatTokens(output, estimated)} out`,
    cost,
    ...(endedAt === undefined ? [] : [formatMs(getDurationMs(agent, Date.parse(endedAt)))]),
    plural(all.calls, 'call'),
  ].join(' · ');
}

/** Returns the texts of all calls in the order in which they were made. */
function texts(view: RunView, agents: AgentsView): string[] {
  return Object.values(view.calls).flatMap((call) => {
    const path = findAgentOfStep(agents, call.step);
    const agent = path === undefined ? undefined : entryOf(agents.agents, path);
    return [
      `## ${line(agent?.agent ?? call.seat)} (${line(call.model)})`,
      `\`${line(call.step)}\``,
      ...formatCall(call, agent),
    ];
  });
}

/** Returns a call's text as Markdown, and a note if the text is incomplete or missing. */
export function formatCall(call: CallView, agent: AgentView | undefined): string[] {
  const missing = whyNoAnswer(call, false);
  const text =
    agent?.route !== undefined && isChoice(call)
      ? `Sends it to ${agent.route.choice}: ${agent.route.reason}${agent.route.message ? ` It adds: ${agent.route.message}` : ''}`
      : formatAnswer(call, answerWords);
  return [
    ...(text.trim() === '' ? [] : [nestHeadings(text)]),
    ...(missing === undefined ? [] : [`_${missing}_`]),
    ...(call.notes.length > 0 ? [`Notes: ${call.notes.map(line).join('; ')}`] : []),
  ];
}
