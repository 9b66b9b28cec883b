/**
 * Defines the Context tab: what each specialist had to know, where the answer is found, and what nobody could
 * answer.
 */
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { makeSection } from '../../../plain/blocks.ts';
import { readingText, readRecord } from '../../../record-kinds/tab.ts';
import { toLine } from '../../../text/line.ts';
import { textWidth, truncateLine } from '../../../text/width.ts';
import { PLAN_PART, type PlanDisplay } from './display-state.ts';
import {
  type AnswerQuality,
  QUESTION,
  type Question,
  questionBrief,
  questionDetails,
  rateAnswer,
} from './question.ts';
import { staffingBlocks } from './staffing.ts';

interface Line {
  /** The seat whose questions can be folded under this line. */
  readonly branch?: string;
  readonly text: (columns: number) => string;
  readonly figures: readonly string[];
  readonly tint?: (theme: Theme, row: string) => string;
  readonly read: () => ReadText;
}

/** From this width in cells on, there is room for why a question was not answered. */
const WIDE = 100;
/** The least width in cells that a question keeps beside its answer's place. */
const LEAST = 30;

const SIGNS: Readonly<Record<AnswerQuality, string>> = {
  answered: '✓',
  researched: '◐',
  'partly known': '◐',
  'not known': '✗',
};

/** Creates the page of the Context tab, which lists what specialists asked and were shown. */
export function contextPage(around: PageAround): Page {
  const getPlanned = () => PLAN_PART.state(around.runModel);
  return new OutlinePage<Line>(around, {
    name: 'Questions',
    head: ['question', 'asked', 'known'],
    above: () => [QUESTION.about],
    empty: 'No specialist has been called in yet.',
    version: () => PLAN_PART.version(around.runModel),
    lines: (query, folded) => linesOf(getPlanned(), query, folded),
    branch: ({ branch }) => branch,
    row: ({ text, figures }, _folded, { columns }) => ({ text: text(columns), figures }),
    tinted: ({ tint = (theme, row) => theme.bold(row) }, row, theme) => tint(theme, row),
    copyable: ({ read }) => read(),
    read: ({ read }) => read(),
  });
}

function linesOf(planned: PlanDisplay, query: string, folded: ReadonlySet<string>): Line[] {
  const { plan, title } = planned;
  const hasQuery = (...said: readonly string[]): boolean =>
    said.join(' ').toLowerCase().includes(query);
  const seats = (plan.staffed?.seats ?? []).flatMap(({ seat, by }): Line[] => {
    const all = plan.lookedUp.filter((question) => question.seat === seat);
    const found = all.filter(({ id, question }) => hasQuery(title(seat), id, question));
    if (found.length === 0 && !hasQuery(title(seat))) return [];
    const isFolded = folded.has(seat);
    return [
      seatLine(seat, by, all, isFolded, planned),
      ...(isFolded ? [] : found.map((question) => questionLine(question, planned))),
    ];
  });
  return plan.staffed === undefined || query !== '' ? seats : [staffingLine(planned), ...seats];
}

function staffingLine(planned: PlanDisplay): Line {
  const { seats = [], unowned = [] } = planned.plan.staffed ?? {};
  const nobody =
    unowned.length === 0 ? '' : `; touched and owned by nobody: ${unowned.map(toLine).join(', ')}`;
  return {
    text: () => `Who was called in: ${seats.length}${nobody}`,
    figures: [],
    read: () => ({
      name: 'called-in',
      title: 'Who was called in',
      markdown: readingText(staffingBlocks(planned)),
    }),
  };
}

function seatLine(
  seat: string,
  by: readonly string[],
  asked: readonly Question[],
  isFolded: boolean,
  { plan, title }: PlanDisplay,
): Line {
  const known = asked.filter((question) => !isLacking(rateAnswer(question, plan)));
  const called = by.map(toLine).join(', ') || 'called in by the person';
  return {
    branch: seat,
    text: () => `${title(seat)}${isFolded ? ` +${asked.length}` : ''}  ${called}`,
    figures: [String(asked.length), String(known.length)],
    read: () => ({
      name: `context-${seat}`,
      title: `${title(seat)} · what it had to know`,
      markdown:
        readingText(
          asked.map((question) =>
            makeSection(question.question, ...questionDetails(question, plan)),
          ),
        ) || 'It asked nothing.',
    }),
  };
}

function questionLine(question: Question, planned: PlanDisplay): Line {
  const known = rateAnswer(question, planned.plan);
  const isMissing = isLacking(known);
  return {
    text: (columns) => {
      const brief =
        isMissing && columns < WIDE ? known : toLine(questionBrief(question, planned.plan));
      const room = Math.max(LEAST, columns - textWidth(brief) - 9);
      return `  ${SIGNS[known]} ${truncateLine(toLine(question.question), room)}  ${brief}`;
    },
    figures: [],
    tint: (theme, row) => (isMissing ? theme.tone('yellow', row) : row),
    read: () => readRecord(QUESTION, question, planned, WIDE),
  };
}

/** Returns whether a question is not or only partly answered. */
function isLacking(known: AnswerQuality): boolean {
  return known === 'not known' || known === 'partly known';
}
