/** Describes a team's run as text: in pipes, in the report, and compared with another run. */
import { COMMON_TEXT, type ProtocolText } from '../../../plain/protocol-text.ts';
import { answerWords } from './answers.ts';
import { diffTeams } from './diff.ts';
import { purposeOf, spokenText, teamTeller } from './lines.ts';
import { MEMBERS } from './wording.ts';

/** The text output of a team's run. */
export const text: ProtocolText = {
  ...COMMON_TEXT,
  teller: teamTeller,
  members: MEMBERS,
  purpose: purposeOf,
  answer: answerWords,
  spoken: spokenText,
  diff: diffTeams,
  forkExamples: 'verify seat.t5-1.model=PROVIDER/MODEL, or task seat.t4.model=PROVIDER/MODEL',
};
