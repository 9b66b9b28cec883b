/** The Documents tab: the plan as it will be written, the files it comes to, and what it rests on unconfirmed. */
import type { RunModel } from '../../../console/model/run-model.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import { TextPage } from '../../../console/run/tabs/text.ts';
import { hint } from '../../../kernel/hints.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { nest, words } from '../../../plain/markdown.ts';
import { plural } from '../../../text/figures.ts';
import { live } from '../debate/statements.ts';
import { tellSpec } from '../debate/tell.ts';
import { placeOf } from '../documents.ts';
import type { PlanView } from '../fold.ts';
import { plannedIn } from './part.ts';
import { debateOf, type Planned, researchOn } from './planned.ts';
import { endingsWords, kindWords, list, paragraphs, STATE_WORDS } from './wording.ts';

export function documentsPage(around: PageAround): Page {
  return new TextPage(around, () => readPlan(around.runModel), true);
}

function readPlan(runModel: RunModel): ReadText {
  const planned = plannedIn(runModel);
  const { written } = planned.plan;
  return written === undefined
    ? { name: 'statements', title: 'Not written yet', markdown: soFarText(planned) }
    : {
        name: 'plan',
        title: 'The plan as it will be written',
        markdown: writtenText(planned, runModel.view.id),
      };
}

/** What the plan will be made of. */
function soFarText({ plan, title, isOver }: Planned): string {
  const statements = live(plan.statements);
  if (statements.length === 0)
    return isOver ? 'No specialist said anything, so there is no plan.' : 'No specialist has said anything yet.';
  const roles = [...new Set(statements.map(({ role }) => role))];
  return paragraphs([
    `${plural(statements.length, 'statement')} so far. The chair makes the plan of what stands at the end, and every statement has to be accounted for.`,
    ...roles.map((role) =>
      paragraphs([
        `## ${words(title(role))}`,
        list(
          statements
            .filter((one) => one.role === role)
            .map(
              (one) =>
                `**${words(one.id)}** (${kindWords(one)}): ${words(one.text)}${one.because === undefined ? '' : ` Because: ${words(one.because)}`}`,
            ),
        ),
      ]),
    ),
  ]);
}

function writtenText(planned: Planned, run: string): string {
  const { plan } = planned;
  const { written } = plan;
  if (written === undefined) return '';
  const ended = endingsWords(planned);
  const leaning = leaningRows(planned);
  return paragraphs([
    `**${STATE_WORDS[written.state]}**${ended === '' ? '' : ` Of ${plural(plan.conflicts.length, 'question')}: ${ended}.`}`,
    `# Files\n\n${list(fileRows(planned))}`,
    words(hint(`Shown as a diff before anything is written: deliberate plan --write ${shortId(run)}`)),
    leaning.length === 0
      ? ''
      : `# Unconfirmed\n\nResearchers found this in the code and specialists were shown it. Nobody has confirmed it.\n\n${list(leaning)}`,
    // Below the page's own headings, which are of the first level.
    nest(tellSpec(written.spec, debateOf(planned), written.title).join('\n\n'), 0),
  ]);
}

/** The files that the plan comes to, by the names that they get. */
export function fileRows({ plan, config }: Planned): string[] {
  const { written } = plan;
  if (written === undefined) return [];
  const { fixes } = written.spec;
  const researched = plan.lookedUp.filter(({ id }) => researchOn(id, plan) !== undefined);
  if (config === undefined) return [`the spec, and ${fixes.length} ${fixes.length === 1 ? 'fix' : 'fixes'}`];
  const { slug, specs, fixes: folder, research } = config.output;
  return [
    `\`${specs}/${slug}.spec.md\`: the plan below`,
    ...fixes.map(({ title }, index) => `\`${folder}/${slug}-${index + 1}.fix.json\`: ${words(title)}`),
    ...(researched.length === 0
      ? []
      : [`\`${research}/\`: what was found in the code, ${plural(researched.length, 'question')}`]),
  ];
}

/** Unconfirmed claims that stood in prompts, and the statements whose grounds name their file. */
export function leaningRows({ plan, title }: Planned): string[] {
  return plan.gates.flatMap(({ seat, shown }) =>
    shown
      .filter(({ unconfirmed }) => unconfirmed)
      .map(({ path, from, to, text }) => {
        const by = leaningOn(path, seat, plan);
        const how = by.length === 0 ? 'no ground names it' : `named by ${by.join(', ')}`;
        const [said = ''] = text.split('\n');
        return words(`${said} (${placeOf(path, from, to)}; shown to ${title(seat)}, ${how})`);
      }),
  );
}

function leaningOn(path: string, seat: string, { statements }: PlanView): string[] {
  return live(statements)
    .filter(({ role, text, because = '' }) => role === seat && `${text} ${because}`.includes(path))
    .map(({ id }) => id);
}
