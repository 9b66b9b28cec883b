/** The text output of a board: in pipes, in reports, and in comparisons of two boards. */

import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { countCallsLeft } from '../estimate.ts';
import { boardOf, getLatestSynthesis } from '../fold.ts';
import { findBoardQuotations } from '../quotations.ts';
import { answerWords } from './answers.ts';
import { collectBoardGrounds } from './grounds.ts';
import { describePurpose, makeBoardTeller } from './lines.ts';
import { formatReadableSynthesis, nameSeatsInSyntheses } from './reading.ts';

/** How a board is printed without the console: its progress and its result as lines of text. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  callsLeft: countCallsLeft,
  teller: makeBoardTeller,
  outside: new Map([...COMMON_TEXT.outside, ['baseline', 'Baseline']]),
  answer: answerWords,
  purpose: describePurpose,
  synthesizes: true,
  latest: ({ facts, view }) => getLatestSynthesis(view.syntheses, boardOf(facts)),
  reads: (synthesis, { facts, view }) =>
    formatReadableSynthesis(synthesis, findBoardQuotations(facts), view),
  grounds: ({ facts, view }) => collectBoardGrounds(boardOf(facts), view),
  // The same letter means different seats in two runs, so letters are replaced by names before runs
  // are compared.
  diff: (before, after) =>
    COMMON_TEXT.diff(nameSeatsInSyntheses(before), nameSeatsInSyntheses(after)),
  forkExamples:
    'seat/critic seat.critic.model=PROVIDER/MODEL, or synthesis/1 synthesizer=PROVIDER/MODEL',
  forkStart: ({ seats: [first] }) =>
    first === undefined ? '' : `seat/${first.id} seat.${first.id}.model=`,
};
