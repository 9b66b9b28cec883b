/** The console's view of a run of agents. */

import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { recordTabs } from '../../../record-kinds/tab.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { AgentsView } from '../fold.ts';
import { answerWords } from './answers.ts';
import { RECORDS } from './records.ts';
import { formatAgentFact } from './says.ts';
import { AGENTS_PART, makeAgentsPage } from './tree.ts';

/** The tabs, columns and status line by which the console shows an agent run. */
export const view: ProtocolView = {
  ...COMMON_VIEW,
  parts: [AGENTS_PART],
  columns: { by: 'calls' },
  answer: answerWords,
  says: formatAgentFact,
  saidIn: 'agents',
  tabs: [
    { id: 'agents', place: 5, title: 'Tree', shown: () => true, page: makeAgentsPage },
    ...recordTabs(RECORDS, AGENTS_PART),
  ],
  lacks: {
    ...COMMON_VIEW.lacks,
    'notes heeded': 'Agents take no notes; edit their files instead.',
    'seat silent': 'Single agents cannot be retried; resume or fork the run.',
    'seat rests': 'To change the model of an agent, fork the run.',
    answers: 'Agents write no synthesis.',
  },
  status: ({ running }) =>
    running === 0
      ? undefined
      : `${formatCount(running, 'agent')} ${running === 1 ? 'is' : 'are'} answering.`,
  done: (runModel) => doneWords(AGENTS_PART.viewIn(runModel)),
};

/** Formats `Done: answered by editor, 2 agents at work.` */
function doneWords({ agents, root = '' }: AgentsView): string {
  const by = entryOf(agents, root)?.answeredBy;
  const count = new Set(Object.values(agents).map(({ agent }) => agent)).size;
  return `Done: ${by === undefined ? '' : `answered by ${by}, `}${formatCount(count, 'agent')} took part.`;
}
