/** The text output of a board: in pipes, in reports, and in comparisons of two boards. */
import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { boardOf, latestOf } from '../fold.ts';
import { quotationsOf } from '../quotations.ts';
import { answerWords } from './answers.ts';
import { boardGrounds } from './grounds.ts';
import { boardTeller, purposeOf } from './lines.ts';
import { readableSynthesis, withNamesInSyntheses } from './reading.ts';
import { boardGaps, boardParts, formatResults, questionSections } from './sections.ts';

/** The text output of a board. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: boardTeller,
  outside: new Map([...COMMON_TEXT.outside, ['baseline', 'Baseline']]),
  answer: answerWords,
  purpose: purposeOf,
  synthesizes: true,
  report: ({ facts, view }) => {
    const run = { view, board: boardOf(facts), quotations: quotationsOf(facts) };
    return { lead: formatResults(run), sections: questionSections(run), missing: boardGaps(run) };
  },
  parts: ({ facts, view }) =>
    boardParts({ view, board: boardOf(facts), quotations: quotationsOf(facts) }),
  latest: ({ facts, view }) => latestOf(view.syntheses, boardOf(facts)),
  reads: (synthesis, { facts, view }) => readableSynthesis(synthesis, quotationsOf(facts), view),
  grounds: ({ facts, view }) => boardGrounds(boardOf(facts), view),
  // The same letter means different seats in two runs, so letters are replaced by names before runs
  // are compared.
  diff: (before, after) =>
    COMMON_TEXT.diff(withNamesInSyntheses(before), withNamesInSyntheses(after)),
  forkExamples:
    'seat/critic seat.critic.model=PROVIDER/MODEL, or synthesis/1 synthesizer=PROVIDER/MODEL',
  forkStart: ({ seats: [first] }) =>
    first === undefined ? '' : `seat/${first.id} seat.${first.id}.model=`,
};
