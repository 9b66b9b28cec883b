/** The text output of a run of agents: in pipes, in reports, and in comparisons. */

import { COMMON_TEXT, type ProtocolText, toProgress } from '../../../plain/protocol-text.ts';
import { answerWords } from './answers.ts';
import { diffAgents } from './diff.ts';
import { formatNews, getSpokenText } from './lines.ts';

/** How an agent run is printed without the console: its progress and its result as lines of text. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (fact, { title }) => {
      const news = formatNews(fact, title);
      return news === undefined ? [] : [toProgress(news)];
    },
    above: () => [],
  }),
  answer: answerWords,
  spoken: getSpokenText,
  diff: diffAgents,
};
