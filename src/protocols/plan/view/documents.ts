/**
 * Defines the Documents tab: the plan as it will be written, its files, and unconfirmed claims behind it.
 */
import type { RunModel } from '../../../console/model/run-model.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import { TextPage } from '../../../console/run/tabs/text.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { shortId } from '../../../kernel/short-id.ts';
import type { RunView } from '../../../kernel/view.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { joinParagraphs, list } from '../../../text/markdown/blocks.ts';
import { formatCount } from '../../../text/numbers.ts';
import { formatLinesPlace } from '../documents.ts';
import type { PlanView } from '../fold.ts';
import { filesOf, specText } from '../outcome.ts';
import { findLiveStatements } from '../rules/statements.ts';
import { renderSpec } from '../spec-lines.ts';
import { PLAN_PART, type PlanDisplay, specBasisOf } from './display-state.ts';
import { statementKind } from './statement.ts';
import { describeStateAndQuestions } from './wording.ts';

/** Creates the page of the Documents tab. */
export function documentsPage(around: PageAround): Page {
  return new TextPage(around, () => readPlan(around.runModel), true);
}

function readPlan(runModel: RunModel): ReadText {
  const planned = PLAN_PART.state(runModel);
  const { written } = planned.plan;
  return written === undefined
    ? { name: 'statements', title: 'Not written yet', markdown: soFarText(planned) }
    : {
        name: 'plan',
        title: 'The plan as it will be written',
        markdown: writtenText(planned, runModel.view),
      };
}

/** Formats the statements so far, from which the plan will be made. */
function soFarText({ plan, title, isOver }: PlanDisplay): string {
  const statements = findLiveStatements(plan.statements);
  if (statements.length === 0)
    return isOver
      ? 'No specialist said anything, so there is no plan.'
      : 'No specialist has said anything yet.';
  const roles = [...new Set(statements.map(({ role }) => role))];
  return joinParagraphs([
    `${formatCount(statements.length, 'statement')} so far. The chair makes the plan of what stands at the end, and every statement has to be accounted for.`,
    ...roles.map((role) =>
      joinParagraphs([
        `## ${escapeLine(title(role))}`,
        list(
          statements
            .filter((statement) => statement.role === role)
            .map(
              (statement) =>
                `**${escapeLine(statement.id)}** (${statementKind(statement)}): ${escapeLine(statement.text)}${statement.because === undefined ? '' : ` Because: ${escapeLine(statement.because)}`}`,
            ),
        ),
      ]),
    ),
  ]);
}

function writtenText(planned: PlanDisplay, run: RunView): string {
  const { plan, config } = planned;
  const { written } = plan;
  if (written === undefined) return '';
  const leaning = leaningRows(planned);
  const spec =
    config === undefined
      ? renderSpec(written.spec, specBasisOf(planned), written.title).join('\n\n')
      : specText(run, plan, config);
  return joinParagraphs([
    `**${describeStateAndQuestions(planned)}**`,
    `# Files\n\n${list(fileRows(planned, run))}`,
    escapeLine(
      formatHint(
        `Files are written only after you confirm the diff: deliberate plan --write ${shortId(run.id)}`,
      ),
    ),
    leaning.length === 0 ? '' : `# Unconfirmed grounds\n\n${list(leaning)}`,
    spec,
  ]);
}

/** Lists the files of the plan. */
function fileRows({ plan, config }: PlanDisplay, run: RunView): string[] {
  const files = config === undefined ? [] : filesOf(run, plan, config);
  return files
    .map(({ path }, index) => (index === 0 ? `${path}: the plan below` : path))
    .map(escapeLine);
}

/**
 * Lists the unconfirmed claims about the code that a seat was shown and that its statements rely on: those
 * whose file a statement names.
 */
function leaningRows({ plan, title }: PlanDisplay): string[] {
  return plan.gated.flatMap(({ seat, shown }) =>
    shown
      .filter(({ unconfirmed }) => unconfirmed)
      .flatMap((piece) => {
        const by = leaningOn(piece.path, seat, plan);
        const [said = ''] = piece.text.split('\n');
        const where = `${formatLinesPlace(piece)}, shown to ${title(seat)}`;
        return by.length === 0 ? [] : [escapeLine(`${by.join(', ')}: ${said} (${where})`)];
      }),
  );
}

function leaningOn(path: string, seat: string, { statements }: PlanView): string[] {
  return findLiveStatements(statements)
    .filter(({ role, text, because = '' }) => role === seat && `${text} ${because}`.includes(path))
    .map(({ id }) => id);
}
