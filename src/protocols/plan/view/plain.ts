/** Describes a plan's run as text: in pipes, in the report, and compared with another run. */

import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { countCallsLeft } from '../estimate.ts';
import { formatSeatAnswer } from './answers.ts';
import { diffPlans } from './diff.ts';
import { planTeller, purposeOf, spokenText } from './lines.ts';
import { MEMBERS } from './wording.ts';

/** How a plan is printed without the console: its progress and its result as lines of text. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  callsLeft: countCallsLeft,
  teller: planTeller,
  members: MEMBERS,
  purpose: purposeOf,
  answer: formatSeatAnswer,
  spoken: spokenText,
  inOrder: true,
  synthesizes: true,
  diff: diffPlans,
  forkExamples:
    'synthesis seat.chair.model=PROVIDER/MODEL, or round-2 seat.NAME.model=PROVIDER/MODEL',
};
