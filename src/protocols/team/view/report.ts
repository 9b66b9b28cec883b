/** Writes a team's part of a report: what is met and where it is, the evidence, and what it cost. */
import { formatTable, words } from '../../../plain/markdown.ts';
import { whyNoAnswer } from '../../../plain/naming.ts';
import { formatCallGaps, type Recorded, type ReportParts } from '../../../plain/protocol-text.ts';
import { recordSection, sectionsText } from '../../../record-kinds/section.ts';
import { line } from '../../../text/line.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { formatTokens, formatUsd } from '../../../text/numbers.ts';
import { TIERS } from '../facts.ts';
import { foldAllTeamFacts } from '../fold.ts';
import { formatUntested } from '../home-lines.ts';
import { formatUnseenChanges } from '../plan-lines.ts';
import { CHECK } from './check.ts';
import { type CallCost, Costs, tierOf } from './costs.ts';
import { designText } from './design-text.ts';
import { deriveTeamed, formatAttempts, sortRequirements, type Teamed } from './display-state.ts';
import { formatSurvey, planText } from './plan-text.ts';
import { requirementText } from './requirement-text.ts';
import { describeEnd } from './status.ts';
import { acceptanceText } from './subjects.ts';
import { formatEscalation, taskText } from './task-text.ts';
import { formatDelivery } from './tiers/ending.ts';
import { formatTaskState } from './tiers/workstream.ts';
import {
  formatCheckTally,
  joinSentences,
  REQUIREMENT_SIGNS,
  shortenEvidence,
  TIER_WORDS,
} from './wording.ts';

/** Returns a team's part of a run's report. */
export function teamReport({ facts, view }: Recorded): ReportParts {
  const teamed = deriveTeamed(view, foldAllTeamFacts(facts), Costs.of(facts));
  const { team } = teamed;
  return {
    lead: [`**${words(describeEnd(view, team))}**`],
    sections: [
      ...outcomePart(teamed),
      ...requirementsPart(teamed),
      ...tasksPart(teamed),
      ...sectionsText(recordSection(CHECK, team)),
      '## Plan',
      planText(team, 3),
      ...(team.designed === undefined ? [] : ['## Design', designText(team.designed, 3)]),
      ...amendmentsPart(teamed),
      ...unseenPart(teamed),
    ],
    missing: [
      ...team.requirements
        .filter(({ state }) => state !== 'met')
        .map(({ id, state, text }) => `${words(id)} is ${state}: ${words(text)}`),
      ...((teamed.config?.version ?? 1) < 3 ? [] : formatUntested(team).map(words)),
      ...team.tasks
        .filter(({ state }) => state !== 'done')
        .map(
          (one) =>
            `Task ${words(one.task.id)} is not done: ${words(formatTaskState(one, teamed))}.`,
        ),
      ...(team.plan !== undefined && team.plan.no_team === '' && team.delivered === undefined
        ? ['Nothing was brought home.']
        : []),
      // A seat is not missing if it failed and then answered when asked again.
      ...Object.values(view.calls).flatMap((call) =>
        call.state === 'running' || call.state === 'lost'
          ? formatCallGaps(words(call.step), whyNoAnswer(call))
          : [],
      ),
    ],
    after: tiersPart(teamed),
  };
}

function outcomePart({ team, ...teamed }: Teamed): string[] {
  const { delivered, survey } = team;
  const accepted = acceptanceText({ team, ...teamed }, 3);
  if (delivered === undefined && accepted === '' && survey === undefined) return [];
  return [
    '## Outcome',
    list([
      ...(survey === undefined ? [] : [`Started from: ${words(formatSurvey(survey))}`]),
      `Brought home: ${words(formatDelivery(delivered))}`,
    ]),
    ...(accepted === '' ? [] : [accepted]),
  ];
}

function requirementsPart(teamed: Teamed): string[] {
  const all = sortRequirements(teamed.team);
  if (all.length === 0) return [];
  return [
    '## Requirements',
    formatTable(
      ['id', 'state', 'proof', 'requirement', 'evidence'],
      all.map(({ id, state, proof, text, evidence }) => [
        words(id),
        `${REQUIREMENT_SIGNS[state]} ${state}`,
        proof,
        words(text),
        // The table has the evidence in short form; below it is printed in full.
        evidence.map((each) => words(shortenEvidence(each))).join('; ') || 'none',
      ]),
    ),
    ...all.flatMap((one) => [`### ${words(one.id)}`, requirementText(one, teamed, 4)]),
  ];
}

function tasksPart(teamed: Teamed): string[] {
  const { team, costs } = teamed;
  if (team.tasks.length === 0) return [];
  return [
    '## Tasks',
    formatTable(
      ['task', 'workstream', 'stands', '>attempts', 'checks of the last', '>cost'],
      team.tasks.map((one) => {
        const { id, workstream } = one.task;
        return [
          words(id),
          words(workstream),
          words(formatTaskState(one, teamed)),
          formatAttempts(team, one),
          formatCheckTally(one.attempts.at(-1)?.checks ?? []),
          costWords(costs.of(({ parts }) => parts[0] === 'task' && parts[1] === id)),
        ];
      }),
    ),
    ...team.tasks.flatMap((one) => [
      `### ${words(one.task.id)}`,
      taskText(one, teamed, { level: 4, output: false }),
    ]),
  ];
}

function amendmentsPart({ team }: Teamed): string[] {
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
  return rows.length === 0 ? [] : ['## Amendments and escalations', list(rows)];
}

function unseenPart({ team: { survey } }: Teamed): string[] {
  const rows = survey === undefined ? [] : formatUnseenChanges(survey);
  return rows.length === 0 ? [] : ['## What the team did not see', list(rows.map(words))];
}

/** Returns the costs by tier, shown below the costs by seat. */
function tiersPart({ costs }: Teamed): string[] {
  const rows = TIERS.flatMap((tier) => {
    const spent = costs.of(({ seat }) => tierOf(seat) === tier);
    if (spent.calls === 0) return [];
    const tokens = formatTokens(spent.tokens, spent.estimated);
    return [[`${tier}, ${TIER_WORDS[tier]}`, String(spent.calls), tokens, costWords(spent)]];
  });
  return rows.length === 0 ? [] : [formatTable(['tier', '>calls', '>tokens', '>cost'], rows)];
}

/** Formats a cost, such as `$0.12`, `at least $0.12` or `not known`; empty if there was no call. */
function costWords({ calls, costUsd, unpriced, estimated }: CallCost): string {
  if (calls === 0) return '';
  if (unpriced === calls) return 'not known';
  return line(`${unpriced > 0 ? 'at least ' : ''}${formatUsd(costUsd, estimated)}`);
}
