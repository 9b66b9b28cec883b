/** Formats a team's plan as Markdown for the console and the report. */
import { formatTable, words } from '../../../plain/markdown.ts';
import { line } from '../../../text/line.ts';
import { fenced, list, paragraphs } from '../../../text/markdown/blocks.ts';
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
import { formatPart, shortCommit } from './wording.ts';

type Planned = TeamView['planned'][number];
type Survey = NonNullable<TeamView['survey']>;

/**
 * Formats the plan as Markdown, with plans that code refused and changes that the person asked for. `level`
 * is the level of its headings.
 */
export function planText(team: TeamView, level: number): string {
  const mark = '#'.repeat(level);
  const { plan, planned, survey } = team;
  const refused = planned.filter((one) => one.refused.length > 0);
  if (plan === undefined)
    return paragraphs([
      planned.length === 0 ? 'There is no plan yet.' : 'No valid plan so far.',
      refusedPart(mark, refused),
    ]);
  if (plan.no_team !== '')
    return paragraphs([
      '**T1 says that no team is needed.**',
      words(plan.no_team),
      refusedPart(mark, refused),
    ]);
  const last = planned.findLast((one) => one.refused.length === 0 && !isGivenUp(one));
  const clean = (rows: readonly string[]): string => list(rows.map(words));
  return paragraphs([
    formatPart(mark, 'Requirements', clean(requirementRows(plan))),
    formatPart(
      mark,
      'Workstreams',
      formatTable(
        ['id', 'path', 'after', '>attempts', 'for', 'goal'],
        plan.workstreams.map((one) => [
          words(one.id),
          one.path,
          words(one.depends_on.join(', ')),
          String(attemptsAllowed(one.retry_multiplier)),
          words(one.covers.join(', ')),
          words(one.goal),
        ]),
      ),
    ),
    formatPart(mark, 'What the tiers are for', clean(tierRows(plan))),
    formatPart(mark, 'Checks', ...checksText(plan)),
    formatPart(mark, 'Guarded files', clean(plan.guarded)),
    formatPart(mark, 'Questions', clean(plan.questions)),
    formatPart(mark, FAULTS_HEADING, clean(formatFaults(last?.found ?? []))),
    formatPart(
      mark,
      'Changes requested',
      list(planned.flatMap(({ wish }) => (wish === undefined ? [] : [words(wish)]))),
    ),
    refusedPart(mark, refused),
    survey === undefined
      ? ''
      : formatPart(mark, 'What the team does not see', clean(formatUnseenChanges(survey))),
  ]);
}

function checksText(plan: TeamPlan): string[] {
  return plan.checks.length === 0 ? [] : [fenced(checkRows(plan).map(line).join('\n'))];
}

function refusedPart(mark: string, refused: readonly Planned[]): string {
  return formatPart(
    mark,
    'Plans refused by code',
    list(refused.map((one) => `${BY[one.by]}: ${one.refused.map(words).join(' ')}`)),
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
