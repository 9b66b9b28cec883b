/** A team's plan, for the console and the report. */
import { type Block, makeSection, makeTableBlock } from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { toLine } from '../../../text/line.ts';
import { formatCodeBlock, list } from '../../../text/markdown/blocks.ts';
import { formatCount } from '../../../text/numbers.ts';
import { isGivenUp, type TeamView } from '../fold.ts';
import type { TeamPlan } from '../forms/plan.ts';
import {
  changedTestRows,
  checkRows,
  collectMended,
  FAULTS_HEADING,
  findMissingPrograms,
  formatFaults,
  formatUnseenChanges,
  MENDED_HEADING,
  requirementRows,
  tierRows,
} from '../plan-lines.ts';
import { attemptsAllowed } from '../rules/failures.ts';
import { shortCommit } from './wording.ts';

type Planned = TeamView['planned'][number];
type Survey = NonNullable<TeamView['survey']>;

/** Returns the plan, with plans that code refused and changes that the person asked for. */
export function planBlocks(team: TeamView): Block[] {
  const { plan, planned, survey } = team;
  const refused = planned.filter((fact) => fact.refused.length > 0);
  if (plan === undefined)
    return [
      planned.length === 0 ? 'There is no plan yet.' : 'No valid plan so far.',
      refusedPart(refused),
    ];
  if (plan.no_team !== '')
    return ['**T1 says that no team is needed.**', escapeLine(plan.no_team), refusedPart(refused)];
  const last = planned.findLast((fact) => fact.refused.length === 0 && !isGivenUp(fact));
  const listRows = (rows: readonly string[]): string => list(rows.map(escapeLine));
  return [
    makeSection('Requirements', listRows(requirementRows(plan))),
    makeSection(
      'Workstreams',
      makeTableBlock(
        '',
        ['id', 'path', 'after', '>attempts', 'for', 'goal'],
        plan.workstreams.map((workstream) => [
          workstream.id,
          workstream.path,
          workstream.depends_on.join(', '),
          String(attemptsAllowed(workstream.retry_multiplier)),
          workstream.covers.join(', '),
          workstream.goal,
        ]),
      ),
    ),
    makeSection('Existing tests that a task may change', listRows(changedTestRows(plan))),
    makeSection('What the tiers are for', listRows(tierRows(plan))),
    makeSection('Checks', ...checksText(plan)),
    makeSection('Guarded files', listRows(plan.guarded)),
    makeSection('Questions', listRows(plan.questions)),
    makeSection(FAULTS_HEADING, listRows(formatFaults(last?.found ?? []))),
    makeSection(MENDED_HEADING, listRows(formatFaults(collectMended(planned)))),
    makeSection(
      'Changes requested',
      list(planned.flatMap(({ wish }) => (wish === undefined ? [] : [escapeLine(wish)]))),
    ),
    refusedPart(refused),
    survey === undefined
      ? ''
      : makeSection('What the team does not see', listRows(formatUnseenChanges(survey))),
  ];
}

function checksText(plan: TeamPlan): string[] {
  return plan.checks.length === 0 ? [] : [formatCodeBlock(checkRows(plan).map(toLine).join('\n'))];
}

function refusedPart(refused: readonly Planned[]): Block {
  return makeSection(
    'Plans refused by code',
    list(refused.map((fact) => `${BY[fact.by]}: ${fact.refused.map(escapeLine).join(' ')}`)),
  );
}

const BY: Readonly<Record<Planned['by'], string>> = {
  t1: 'The first',
  critique: 'After its critique',
  person: 'After your words',
  replan: 'Planned again',
};

/**
 * Formats a survey in one line, such as `214 files at 4f1c2d9a on main; 2 checks suggested; sandbox:
 * bwrap`.
 */
export function formatSurvey(survey: Survey): string {
  const on = survey.branch === undefined ? '' : ` on ${survey.branch}`;
  const missing = findMissingPrograms(survey);
  const kept = survey.sandbox === 'none' ? 'no sandbox' : `sandbox: ${survey.sandbox}`;
  return `${formatCount(survey.files, 'file')} at ${shortCommit(survey.base)}${on}; ${formatCount(survey.checks.length, 'check')} suggested${missing.length === 0 ? '' : ` (not installed: ${missing.map(toLine).join(', ')})`}; ${kept}`;
}
