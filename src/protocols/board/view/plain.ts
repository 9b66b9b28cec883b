/** How a board reads as text: in pipes, in the report, beside another board. */
import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { boardOf } from '../fold.ts';
import { boardTeller, purposeOf } from './lines.ts';
import { boardGaps, questionSections } from './sections.ts';

export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: boardTeller,
  outside: new Map([...COMMON_TEXT.outside, ['baseline', 'Baseline']]),
  purpose: purposeOf,
  synthesizes: true,
  report: ({ facts, view }) => {
    const board = boardOf(facts);
    return { sections: questionSections(view, board), missing: boardGaps(view, board) };
  },
  forkExamples:
    'seat/critic seat.critic.model=PROVIDER/MODEL, or synthesis/1 synthesizer=PROVIDER/MODEL',
  forkStart: ({ seats: [first] }) =>
    first === undefined ? '' : `seat/${first.id} seat.${first.id}.model=`,
};
