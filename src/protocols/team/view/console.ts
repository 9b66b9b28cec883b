/** Describes how a team's run looks in the console. */
import type { RunModel } from '../../../console/model/run-model.ts';
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { recordTabs } from '../../../record-kinds/tab.ts';
import { answerWords } from './answers.ts';
import { formatBesideQuestion } from './beside-question.ts';
import { getTeamDisplay, TEAM_PART, teamIn } from './part.ts';
import { RECORDS } from './records.ts';
import { requirementsPage } from './requirements.ts';
import { formatTeamFact } from './says.ts';
import {
  describeOutcome,
  describeStatus,
  formatProgress,
  formatRequirementCount,
  formatResultLine,
  leadBeside,
  leadSentence,
} from './status.ts';
import { teamPage } from './team.ts';

const hasTeam = (runModel: RunModel): boolean => !teamIn(runModel).view.plan?.no_team;

/** The console's view of a team's run. */
export const view: ProtocolView = {
  ...COMMON_VIEW,
  parts: [TEAM_PART],
  // In the tab Columns, each call has a column of its own, because a tier may make several calls at once.
  columns: { by: 'calls' },
  answer: answerWords,
  says: formatTeamFact,
  saidIn: 'tree',
  tabs: [
    { id: 'team', place: 2, title: 'Team', shown: hasTeam, page: teamPage },
    { id: 'requirements', place: 3, title: 'Requirements', shown: hasTeam, page: requirementsPage },
    ...recordTabs(
      RECORDS,
      { state: getTeamDisplay, version: (runModel) => teamIn(runModel).version },
      hasTeam,
    ),
  ],
  opensWith: 'team',
  votesIn: 'requirements',
  holds: { votes: () => false },
  lacks: {
    ...COMMON_VIEW.lacks,
    'notes heeded': 'A team takes no notes while it works; change the plan before you approve it.',
    'rounds live': 'A team has no stress rounds.',
    'seat silent': 'A team retries failed tiers by itself.',
    'seat rests': 'To change the model of a tier, fork the run.',
    answers: 'A team writes no synthesis; the Requirements tab shows the results.',
    votes: 'A team has no vote; the Requirements tab has the evidence.',
    'earlier question': 'A team has one goal.',
    'later question': 'A team has one goal.',
  },
  status: describeStatus,
  done: formatResultLine,
  progress: formatProgress,
  asks: formatBesideQuestion,
  lead: (_draft, runModel) => {
    const { view: team } = teamIn(runModel);
    return { sentence: leadSentence(team), beside: leadBeside(team) };
  },
  heading: ({ done }, runModel) => {
    if (done === undefined) return undefined;
    const { view: team } = teamIn(runModel);
    return [formatRequirementCount(team), describeOutcome(team)].filter((text) => text !== '');
  },
  marks: [
    'team.planned',
    'team.designed',
    'team.graphed',
    'task.started',
    'verdict.joined',
    'team.accepted',
  ],
};
