/** How a run of agents reads as text: in pipes, in the report, beside another one. */

import { COMMON_TEXT, type ProtocolText, progress } from '../../../plain/protocol-text.ts';
import { answerWords } from './answers.ts';
import { diffAgents } from './diff.ts';
import { agentNews, spokenText } from './lines.ts';
import { agentLead, agentSections } from './report.ts';

export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (one, { title }) => {
      const news = agentNews(one, title);
      return news === undefined ? [] : [progress(news)];
    },
    above: () => [],
  }),
  answer: answerWords,
  spoken: spokenText,
  // What is missing stands with each agent in the tree.
  report: ({ facts, view }) => ({
    lead: agentLead(facts),
    sections: agentSections(view, facts),
  }),
  diff: diffAgents,
};
