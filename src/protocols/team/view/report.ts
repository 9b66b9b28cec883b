/** Writes a team's part of a report: what is met and where it is, the evidence, and what it cost. */
import type { RunView } from '../../../kernel/view.ts';
import {
  type Answer,
  type RunReport,
  type Section,
  section,
  table,
} from '../../../plain/blocks.ts';
import { callSection } from '../../../plain/common-report.ts';
import { listUnfinishedCalls } from '../../../plain/gaps.ts';
import { words } from '../../../plain/markdown.ts';
import type { ProtocolReport, Recorded } from '../../../plain/protocol-text.ts';
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
import { deriveTeamed, type Teamed } from './display-state.ts';
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
function teamReport({ facts, view }: Recorded): RunReport {
  const teamed = deriveTeamed(view, foldAllTeamFacts(facts), Costs.of(facts));
  const { team } = teamed;
  return {
    answers: [answerOf(teamed, view)],
    sections: [
      outcomePart(teamed),
      ...recordSections(RECORDS, teamed),
      callSection(view, (call) => formatAnswer(call, answerWords)),
      section('Plan', ...planBlocks(team)),
      section('Design', ...(team.designed === undefined ? [] : designBlocks(team.designed))),
      amendmentsPart(teamed),
      section(
        'What the team did not see',
        list(team.survey === undefined ? [] : formatUnseenChanges(team.survey).map(words)),
      ),
      tiersPart(teamed),
    ],
    missing: [
      ...team.requirements
        .filter(({ state }) => state !== 'met')
        .map(({ id, state, text }) => `${words(id)} is ${state}: ${words(text)}`),
      ...((teamed.config?.version ?? 1) < 3 ? [] : formatUntested(team).map(words)),
      ...team.tasks
        .filter(({ state }) => state !== 'done')
        .map(
          (task) =>
            `Task ${words(task.task.id)} is not done: ${words(formatTaskState(task, teamed))}.`,
        ),
      ...(team.plan !== undefined && team.plan.no_team === '' && team.delivered === undefined
        ? ['Nothing was brought home.']
        : []),
      ...listUnfinishedCalls(view),
    ],
  };
}

function answerOf({ team }: Teamed, view: RunView): Answer {
  return {
    title: 'Team',
    isHeadline: true,
    text: describeEnd(view, team),
    heard: [],
  };
}

function outcomePart(teamed: Teamed): Section {
  const { delivered, survey, accepted } = teamed.team;
  if (delivered === undefined && accepted.length === 0 && survey === undefined)
    return section('Outcome');
  return section(
    'Outcome',
    list([
      ...(survey === undefined ? [] : [`Started from: ${words(formatSurvey(survey))}`]),
      `Brought home: ${words(formatDelivery(delivered))}`,
    ]),
    ...acceptanceSections(teamed),
  );
}

function amendmentsPart({ team }: Teamed): Section {
  const rows = [
    ...team.amendments.map(({ by, kind, what, why, task }) =>
      words(
        `${by} amends ${kind}${task === undefined ? '' : ` of ${task}`}: ${joinSentences(what, why)}`,
      ),
    ),
    ...team.refusedNeeds.map(({ task, kind, what, why }) =>
      words(`${task} asked for ${kind} ${what}, refused: ${why}`),
    ),
    ...team.escalations.map(({ from, to, cause, why, task, workstream }) =>
      words(`${task ?? workstream} goes from ${formatEscalation(from, to, cause, why)}`),
    ),
  ];
  return section('Amendments and escalations', list(rows));
}

/** Returns the costs by tier, shown below the costs by seat. */
function tiersPart({ costs }: Teamed): Section {
  const rows = TIERS.flatMap((tier) => {
    const spent = costs.of(({ seat }) => tierOf(seat) === tier);
    if (spent.calls === 0) return [];
    const tokens = formatTokens(spent.tokens, spent.estimated);
    return [[`${tier}, ${TIER_WORDS[tier]}`, String(spent.calls), tokens, costWords(spent)]];
  });
  return section('Costs by tier', table('', ['tier', '>calls', '>tokens', '>cost'], rows));
}
