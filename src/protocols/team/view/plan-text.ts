/** A team's plan, for the console and the report. */
import { type Block, section, table } from '../../../plain/blocks.ts';
import { words } from '../../../plain/markdown.ts';
import { line } from '../../../text/line.ts';
import { fenced, list } from '../../../text/markdown/blocks.ts';
import { plural } from '../../../text/numbers.ts';
import { isGivenUp, type TeamView } from '../fold.ts';
import type { TeamPlan } from '../forms/plan.ts';
import {
  checkRows,
  FAULTS_HEADING,
  findMissingPrograms,
  formatFaults,
  formatUnseenChanges,
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
    return ['**T1 says that no team is needed.**', words(plan.no_team), refusedPart(refused)];
  const last = planned.findLast((fact) => fact.refused.length === 0 && !isGivenUp(fact));
  const listRows = (rows: readonly string[]): string => list(rows.map(words));
  return [
    section('Requirements', listRows(requirementRows(plan))),
    section(
      'Workstreams',
      table(
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
    section('What the tiers are for', listRows(tierRows(plan))),
    section('Checks', ...checksText(plan)),
    section('Guarded files', listRows(plan.guarded)),
    section('Questions', listRows(plan.questions)),
    section(FAULTS_HEADING, listRows(formatFaults(last?.found ?? []))),
    section(
      'Changes requested',
      list(planned.flatMap(({ wish }) => (wish === undefined ? [] : [words(wish)]))),
    ),
    refusedPart(refused),
    survey === undefined
      ? ''
      : section('What the team does not see', listRows(formatUnseenChanges(survey))),
  ];
}

function checksText(plan: TeamPlan): string[] {
  return plan.checks.length === 0 ? [] : [fenced(checkRows(plan).map(line).join('\n'))];
}

function refusedPart(refused: readonly Planned[]): Block {
  return section(
    'Plans refused by code',
    list(refused.map((fact) => `${BY[fact.by]}: ${fact.refused.map(words).join(' ')}`)),
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
  return `${plural(survey.files, 'file')} at ${shortCommit(survey.base)}${on}; ${plural(survey.checks.length, 'check')} suggested${missing.length === 0 ? '' : ` (not installed: ${missing.map(line).join(', ')})`}; ${kept}`;
}
