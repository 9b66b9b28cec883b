/** The kinds of records of a run of agents, in the order of the report, and where each is shown. */
import { isAllOnPlan, ON_PLAN } from '../../../kernel/providers/spec.ts';
import type { Tone } from '../../../plain/blocks.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { type RecordEntry, recordEntry } from '../../../record-kinds/table.ts';
import { formatCount, formatMs, formatTokens, formatUsd } from '../../../text/numbers.ts';
import { type AgentsView, type AgentView, getDurationMs, listAgents } from '../fold.ts';

/** The tone (color) in which each state of an agent is shown. */
export const TONES: Readonly<Record<AgentView['state'], Tone>> = {
  done: 'good',
  running: 'open',
  stopped: 'gone',
  failed: 'bad',
  'timed-out': 'bad',
};

/** The kind of record for agents, each below the agent that called it. */
const AGENT = recordKind({
  name: 'Agents',
  about: 'Each agent, with the agents it called.',
  none: () => 'No agent started.',
  all: (agents: AgentsView) => listAgents(agents),
  id: ({ agent: { path } }) => path,
  heading: ({ agent: { agent } }) => agent,
  columns: [
    { title: 'agent', of: ({ agent: { agent }, depth }) => `${'· '.repeat(depth)}${agent}` },
    {
      title: 'why',
      of: ({ agent: { why, cycle } }) => `${why}${cycle === undefined ? '' : ` in cycle ${cycle}`}`,
    },
    {
      title: 'how it ended',
      of: ({ agent }) => ({ text: formatAgentState(agent), tone: TONES[agent.state] }),
    },
    {
      title: '>in',
      of: ({ agent: { all } }) => formatTokens(all.usage.input, all.usage.estimated),
    },
    {
      title: '>out',
      of: ({ agent: { all } }) => formatTokens(all.usage.output, all.usage.estimated),
    },
    { title: '>cost', of: ({ agent: { all } }) => costWords(all) },
    {
      title: '>time',
      of: ({ agent }) =>
        agent.endedAt === undefined
          ? ''
          : formatMs(getDurationMs(agent, Date.parse(agent.endedAt))),
    },
    { title: '>calls', of: ({ agent: { all } }) => String(all.calls) },
  ],
  compared: ({ agent: { state, text = '', answeredBy = '', reason = '', route } }) => ({
    status: state,
    text,
    answeredBy,
    reason,
    choice: route?.choice ?? '',
  }),
  sentence: ({ agent: { state, text, reason = '' } }) => `${state}: ${text || reason}`,
});

/** The kinds of records of an agent run, each with how a report and a comparison of runs show it. */
export const RECORDS: readonly RecordEntry<AgentsView>[] = [
  recordEntry(AGENT, { section: { evenIfNone: true }, compared: { as: 'agents' } }),
];

function costWords(all: AgentView['all']): string {
  if (isAllOnPlan(all)) return ON_PLAN;
  const usd = formatUsd(all.costUsd, all.usage.estimated);
  return all.unpriced === 0 ? usd : `${usd}, ${all.unpriced} not known`;
}

/** Formats an agent's state and how it came about: `done; answered by editor`. */
export function formatAgentState(agent: AgentView): string {
  const { state, answeredBy, reason, route, ended, compactions } = agent;
  return [
    state === 'timed-out' ? 'timed out' : state,
    ...(answeredBy !== undefined && answeredBy !== agent.agent
      ? [`answered by ${answeredBy}`]
      : []),
    ...(reason === undefined ? [] : [reason]),
    ...(route === undefined ? [] : [`chose ${route.choice}: ${route.reason}`]),
    ...(ended === undefined
      ? []
      : [`team ended after ${formatCount(ended.cycles, 'cycle')} (${ended.how}): ${ended.why}`]),
    ...compactions.map(
      ({ cycle, messages }) =>
        `from cycle ${cycle} on the first ${messages} messages were shortened`,
    ),
  ].join('; ');
}
