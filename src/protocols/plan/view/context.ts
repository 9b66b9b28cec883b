/** The Context tab: what each specialist had to know, where it stands, and what nobody could tell. */
import type { RunModel } from '../../../console/model/run-model.ts';
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { line } from '../../../text/line.ts';
import { textWidth, truncate } from '../../../text/width.ts';
import type { PlanView } from '../fold.ts';
import { questionBrief, questionText, staffingText } from './context-text.ts';
import { planIn, plannedIn } from './part.ts';
import { type Known, knownOf } from './planned.ts';

const ABOUT =
  'What each specialist needed to know first. Documents answer first, then the code; the rest is not known, and the prompts say so.';

type Line =
  | { readonly kind: 'staffing' }
  | { readonly kind: 'seat'; readonly seat: string }
  | { readonly kind: 'question'; readonly one: PlanView['lookedUp'][number] };

/** From this width on there is room for why something is not known. */
const WIDE = 100;
/** Cells of a question that are kept, however long its answer's place is. */
const LEAST = 30;

const SIGNS: Readonly<Record<Known, string>> = {
  answered: '✓',
  researched: '◐',
  'partly known': '◐',
  'not known': '✗',
};

export function contextPage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<Line>(around, {
    name: 'Questions',
    head: ['question', 'asked', 'known'],
    above: () => [ABOUT],
    empty: 'No specialist has been called in yet.',
    version: () => planIn(runModel).version,
    lines: (query, folded) => linesOf(runModel, query, folded),
    branch: (one) => (one.kind === 'seat' ? one.seat : undefined),
    row: (one, folded, { columns }) => rowOf(one, folded, runModel, columns),
    tinted: (one, row, theme) => tint(one, row, theme, runModel),
    copyable: (one) => readLine(one, runModel),
    read: (one) => readLine(one, runModel),
  });
}

function linesOf(runModel: RunModel, query: string, folded: ReadonlySet<string>): Line[] {
  const { plan, title } = plannedIn(runModel);
  if (plan.staffed === undefined) return [];
  const has = (...said: readonly string[]): boolean => said.join(' ').toLowerCase().includes(query);
  const seats = plan.staffed.seats.flatMap(({ seat }): Line[] => {
    const asked = plan.lookedUp.filter(
      (one) => one.seat === seat && has(title(seat), one.id, one.question),
    );
    if (asked.length === 0 && !has(title(seat))) return [];
    const below = folded.has(seat) ? [] : asked.map((one): Line => ({ kind: 'question', one }));
    return [{ kind: 'seat', seat }, ...below];
  });
  return [...(query === '' ? [{ kind: 'staffing' } as const] : []), ...seats];
}

function rowOf(
  one: Line,
  folded: boolean,
  runModel: RunModel,
  columns: number,
): { text: string; figures: readonly string[] } {
  const { plan, title } = plannedIn(runModel);
  switch (one.kind) {
    case 'staffing': {
      const { seats = [], unowned = [] } = plan.staffed ?? {};
      const nobody =
        unowned.length === 0
          ? ''
          : `; touched and owned by nobody: ${unowned.map(line).join(', ')}`;
      return { text: `Who was called in: ${seats.length}${nobody}`, figures: [] };
    }
    case 'seat': {
      const asked = plan.lookedUp.filter(({ seat }) => seat === one.seat);
      const known = asked.filter((each) => !isLacking(knownOf(each, plan)));
      const by = plan.staffed?.seats.find(({ seat }) => seat === one.seat)?.by ?? [];
      return {
        text: `${title(one.seat)}${folded ? ` +${asked.length}` : ''}  ${by.map(line).join(', ') || 'called in by the person'}`,
        figures: [String(asked.length), String(known.length)],
      };
    }
    case 'question': {
      const known = knownOf(one.one, plan);
      const brief = isLacking(known) && columns < WIDE ? known : line(questionBrief(one.one, plan));
      const room = Math.max(LEAST, columns - textWidth(brief) - 9);
      return {
        text: `  ${SIGNS[known]} ${truncate(line(one.one.question), room)}  ${brief}`,
        figures: [],
      };
    }
  }
}

function tint(one: Line, row: string, theme: Theme, runModel: RunModel): string {
  if (one.kind !== 'question') return theme.bold(row);
  return isLacking(knownOf(one.one, planIn(runModel).view)) ? theme.tone('yellow', row) : row;
}

/** Whether a seat has to do without some of what it asked. */
function isLacking(known: Known): boolean {
  return known === 'not known' || known === 'partly known';
}

function readLine(one: Line, runModel: RunModel): ReadText {
  const planned = plannedIn(runModel);
  const { plan, title } = planned;
  if (one.kind === 'staffing')
    return { name: 'called-in', title: 'Who was called in', markdown: staffingText(planned) };
  if (one.kind === 'question')
    return {
      name: one.one.id.replace('?', '-question-'),
      title: `${title(one.one.seat)} asked: ${line(one.one.question)}`,
      markdown: questionText(one.one, plan),
    };
  const asked = plan.lookedUp.filter(({ seat }) => seat === one.seat);
  return {
    name: `context-${one.seat}`,
    title: `${title(one.seat)} · what it had to know`,
    markdown:
      asked.length === 0
        ? 'It asked nothing.'
        : asked
            .map((each) => `# ${line(each.question)}\n\n${questionText(each, plan)}`)
            .join('\n\n'),
  };
}
