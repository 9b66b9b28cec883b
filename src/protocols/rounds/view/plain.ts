/** How a deliberation in rounds reads as text: in pipes, in the report, beside another one. */
import { words } from '../../../plain/markdown.ts';
import { absence } from '../../../plain/naming.ts';
import { COMMON_TEXT, callGaps, type ProtocolText } from '../../../plain/protocol-text.ts';
import { synthesisGaps, synthesisSections } from '../../../plain/syntheses.ts';
import { isBallot } from '../../common/votes.ts';
import { roundsOf } from '../fold.ts';
import { diffRounds, roundsDiffText } from './diff.ts';
import { ROUNDS_TELLER } from './lines.ts';
import { claimSections } from './summary.ts';
import { testSections } from './tests-report.ts';

export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ROUNDS_TELLER,
  // A stance is told by its own fact: the form it came in is for nobody to read.
  spoken: (one) => (isBallot(one.step) ? undefined : one.text),
  synthesizes: true,
  forkExamples:
    'round-3/D seat.critic.model=PROVIDER/MODEL, verifier=PROVIDER/MODEL, or claim.C-2-1.text="…"',
  report: ({ facts, view }) => {
    const rounds = roundsOf(facts);
    return {
      sections: [...synthesisSections(view.syntheses, view, 2), ...claimSections(rounds)],
      missing: [
        ...Object.values(view.calls).flatMap((call) => callGaps(words(call.step), absence(call))),
        ...synthesisGaps(view.syntheses.at(-1), view),
      ],
      after: testSections(rounds),
    };
  },
  diff: (before, after) => {
    const found = diffRounds(roundsOf(before.facts), roundsOf(after.facts));
    return { found, text: roundsDiffText(found) };
  },
};
