/** Writes a team's part of a report: what is met and where it is, the evidence, and what it cost. */
import type { RunView } from '../../../kernel/view.ts';
import {
  type Answer,
  makeSection,
  makeTableBlock,
  type RunReport,
  type Section,
} from '../../../plain/blocks.ts';
import { callSection } from '../../../plain/common-report.ts';
import { listUnfinishedCalls } from '../../../plain/gaps.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import type { ProtocolReport, RecordedRun } from '../../../plain/protocol-text.ts';
import { recordSections } from '../../../record-kinds/section.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { TIERS } from '../facts.ts';
import { foldAllTeamFacts } from '../fold.ts';
import { formatUntested } from '../home-lines.ts';
import { formatUnseenChanges } from '../plan-lines.ts';
import { answerWords } from './answers.ts';
import { Costs, costWords, tierOf } from './costs.ts';
import { designBlocks } from './design-text.ts';
import { deriveTeamed, type TeamDisplay } from './display-state.ts';
import { formatSurvey, planBlocks } from './plan-text.ts';
import { RECORDS } from './records.ts';
import { describeEnd } from './status.ts';
import { acceptanceSections } from './subjects.ts';
import { formatEscalation } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import { formatTaskState } from './tiers/workstream.ts';
import { joinSentences, TIER_WORDS } from './wording.ts';

/** The report of a team. */
export const report: ProtocolReport = { build: teamReport };

/** Returns a team's part of a run's report. */
function teamReport({ facts, view }: RecordedRun): RunReport {
  const teamed = deriveTeamed(view, foldAllTeamFacts(facts), Costs.of(facts));
  const { team } = teamed;
  return {
    answers: [answerOf(teamed, view)],
    sections: [
      outcomePart(teamed),
      ...recordSections(RECORDS, teamed),
      callSection(view, (call) => formatAnswer(call, answerWords)),
      makeSection('Plan', ...planBlocks(team)),
      makeSection('Design', ...(team.designed === undefined ? [] : designBlocks(team.designed))),
      amendmentsPart(teamed),
      makeSection(
        'What the team did not see',
        list(team.survey === undefined ? [] : formatUnseenChanges(team.survey).map(escapeLine)),
      ),
      tiersPart(teamed),
    ],
    missing: [
      ...team.requirements
        .filter(({ state }) => state !== 'met')
        .map(({ id, state, text }) => `${escapeLine(id)} is ${state}: ${escapeLine(text)}`),
      ...((teamed.config?.version ?? 1) < 3 ? [] : formatUntested(team).map(escapeLine)),
      ...team.tasks
        .filter(({ state }) => state !== 'done')
        .map(
          (task) =>
            `Task ${escapeLine(task.task.id)} is not done: ${escapeLine(formatTaskState(task, teamed))}.`,
        ),
      ...(team.plan !== undefined && team.plan.no_team === '' && team.delivered === undefined
        ? ['Nothing was brought home.']
        : []),
      ...listUnfinishedCalls(view),
    ],
  };
}

function answerOf({ team }: TeamDisplay, view: RunView): Answer {
  return {
    title: 'Team',
    isHeadline: true,
    text: describeEnd(view, team),
    basisLines: [],
  };
}

function outcomePart(teamed: TeamDisplay): Section {
  const { delivered, survey, accepted } = teamed.team;
  if (delivered === undefined && accepted.length === 0 && survey === undefined)
    return makeSection('Outcome');
  return makeSection(
    'Outcome',
    list([
      ...(survey === undefined ? [] : [`Started from: ${escapeLine(formatSurvey(survey))}`]),
      `Brought home: ${escapeLine(formatDelivery(delivered))}`,
    ]),
    ...acceptanceSections(teamed),
  );
}

function amendmentsPart({ team }: TeamDisplay): Section {
  const rows = [
    ...team.amendments.map(({ by, kind, what, why, task }) =>
      escapeLine(
        `${by} amends ${kind}${task === undefined ? '' : ` of ${task}`}: ${joinSentences(what, why)}`,
      ),
    ),
    ...team.refusedNeeds.map(({ task, kind, what, why }) =>
      escapeLine(`${task} asked for ${kind} ${what}, refused: ${why}`),
    ),
    ...team.escalations.map(({ from, to, cause, why, task, workstream }) =>
      escapeLine(`${task ?? workstream} goes from ${formatEscalation(from, to, cause, why)}`),
    ),
  ];
  return makeSection('Amendments and escalations', list(rows));
}

/** Returns the costs by tier, shown below the costs by seat. */
function tiersPart({ costs }: TeamDisplay): Section {
  const rows = TIERS.flatMap((tier) => {
    const spent = costs.of(({ seat }) => tierOf(seat) === tier);
    if (spent.calls === 0) return [];
    const tokens = formatTokens(spent.tokens, spent.estimated);
    return [[`${tier}, ${TIER_WORDS[tier]}`, String(spent.calls), tokens, costWords(spent)]];
  });
  return makeSection(
    'Costs by tier',
    makeTableBlock('', ['tier', '>calls', '>tokens', '>cost'], rows),
  );
}
