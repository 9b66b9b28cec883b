/** The text output of a deliberation: in pipes, in reports, and in comparisons. */

import type { CallView } from '../../../kernel/view.ts';
import { nestHeadings } from '../../../plain/markdown.ts';
import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { countCallsLeft } from '../estimate.ts';
import { roundsOf } from '../fold.ts';
import { findRoundsQuotations } from '../quotations.ts';
import { isBallot } from '../votes/counted-votes.ts';
import { answerWords } from './answers.ts';
import { diffRounds, formatRoundsDiff } from './diff.ts';
import { deriveDeliberation } from './display-state.ts';
import { makeRoundsTeller } from './lines.ts';
import { formatSynthesisText, listDoubts } from './summary/doubts.ts';
import { collectRoundsGrounds } from './summary/grounds.ts';
import { MEMBERS } from './wording.ts';

/** The text output of a deliberation in rounds. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  callsLeft: countCallsLeft,
  teller: makeRoundsTeller,
  members: MEMBERS,
  answer: answerWords,
  inOrder: true,
  // Lower the headings in a call's text by two levels, below the headings of phase and seat.
  spoken: (call) => (isTold(call) ? undefined : nestHeadings(formatAnswer(call, answerWords), 2)),
  synthesizes: true,
  forkExamples:
    'round-3/D seat.critic.model=PROVIDER/MODEL, verifier=PROVIDER/MODEL, or claim.C-2-1.text="…"',
  reads: (synthesis, { facts, view }) =>
    formatSynthesisText(synthesis, { quotations: findRoundsQuotations(facts), view }),
  doubts: ({ facts, view }) => listDoubts(deriveDeliberation(facts, view)),
  grounds: ({ facts, view }) => collectRoundsGrounds(deriveDeliberation(facts, view)),
  diff: (before, after) => {
    const found = diffRounds(roundsOf(before.facts), roundsOf(after.facts));
    return { found, text: formatRoundsDiff(found) };
  },
};

/** The tasks whose answers are recorded as facts, with ids, and printed from these facts. */
const RECORDED: ReadonlySet<string> = new Set([
  'rounds/claims',
  'rounds/assessment',
  'rounds/prediction',
]);

/** Returns whether a call's answer is printed from its facts. A failed call is printed as text. */
function isTold({ step, task = '', state }: CallView): boolean {
  return isBallot(step) || (RECORDED.has(task) && state === 'done');
}
