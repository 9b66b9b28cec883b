/** The tab Predictions: decisions, predictions with everybody's probability, and what came of claims. */
import {
  formatDecisions,
  formatObservations,
  type PredictionRow,
  predictionTables,
} from '../../../decisions/table.ts';
import { truncateLine } from '../../../text/width.ts';
import { DECISIONS_PART } from '../../model/decisions.ts';
import type { RunModel } from '../../model/run-model.ts';
import { OutlinePage } from './outline.ts';
import type { Page, PageAround } from './page.ts';

/** A line of the tab, its figures, and the text in full. */
interface Line {
  readonly text: string;
  readonly figures: readonly string[];
  /** The heading of the text in full. */
  readonly title: string;
  readonly markdown: string;
}

/** The width of a figure, in cells; the sentence gets what figures and date leave. */
const FIGURE = 9;
const DATE = 11;
const LEAST_SENTENCE = 30;

/**
 * Creates the page of the console's tab Predictions, which also lists decisions of people and what came of
 * claims.
 */
export function decisionsPage(around: PageAround): Page {
  const { runModel } = around;
  const columnsOf = (): readonly string[] => {
    const room = around.size().columns - LEAST_SENTENCE - DATE - FIGURE - 3;
    const names = tablesOf(runModel)[0]?.columns ?? [];
    return names.slice(0, Math.max(0, Math.floor(room / FIGURE)));
  };
  return new OutlinePage<Line>(around, {
    name: 'Predictions',
    get head(): readonly [string, ...string[]] {
      const names = columnsOf().map((name) => truncateLine(name, FIGURE - 1));
      return tablesOf(runModel).length === 0
        ? ['decision']
        : ['prediction', 'by', 'panel', ...names];
    },
    above: () => tablesOf(runModel).flatMap(({ notes }) => notes),
    empty: 'No prediction and no decision so far.',
    version: () => runModel.read(DECISIONS_PART).version,
    lines: (query) =>
      linesOf(runModel, columnsOf().length).filter(({ markdown }) =>
        markdown.toLowerCase().includes(query),
      ),
    row: ({ text, figures }) => ({ text, figures }),
    copyable: ({ title, markdown }) => ({ name: 'prediction', title, markdown }),
    read: ({ title, markdown }) => ({ name: 'prediction', title, markdown }),
  });
}

function tablesOf(runModel: RunModel) {
  return predictionTables(
    runModel.read(DECISIONS_PART).view,
    (seat) => runModel.nameOf(seat),
    runModel.view.seats.map(({ id }) => id),
  );
}

function linesOf(runModel: RunModel, columns: number): Line[] {
  const { view } = runModel.read(DECISIONS_PART);
  const taken = formatDecisions(view).map(
    ({ text, lines, isStanding }): Line => ({
      text: `${isStanding ? 'Decided' : 'Superseded'}: ${text}`,
      figures: [],
      title: 'Decision',
      markdown: [`**${text}**`, ...lines.map((line) => `- ${line}`)].join('\n\n'),
    }),
  );
  const predictions = tablesOf(runModel).flatMap(({ rows, columns: names }) =>
    rows.map(
      (row): Line => ({
        text: row.isOpen ? row.sentence : `${signOf(row)} ${row.sentence}`,
        figures: [row.date, row.panel, ...row.forecasts.slice(0, columns)],
        title: `Prediction ${row.id}`,
        markdown: textOf(row, names),
      }),
    ),
  );
  const observed = formatObservations(view).map(
    (text): Line => ({
      text,
      figures: [],
      title: 'Claim',
      markdown: text,
    }),
  );
  return [...taken, ...predictions, ...observed];
}

function signOf({ outcome }: PredictionRow): string {
  if (outcome.startsWith('came true')) return '✓';
  return outcome.startsWith('void') ? '∅' : '✗';
}

function textOf(row: PredictionRow, names: readonly string[]): string {
  const { id, sentence, date, panel, details, reasons, outcome } = row;
  return [
    `**${sentence}**`,
    [
      `- ${id}, answered by ${date}: ${outcome}`,
      ...details.map((detail) => `- ${detail}`),
      `- Panel: ${panel}`,
      ...reasons.map((reason) => `- ${reason}`),
      ...names.flatMap((name, index) =>
        row.forecasts[index] === '–' ? [`- ${name}: no probability`] : [],
      ),
    ].join('\n'),
  ].join('\n\n');
}
