/** Renders predictions, decisions and outcomes of a run as sections of its page. */
import { decisionsOf } from '../decisions/fold.ts';
import { formatDecisions, formatObservations, predictionTables } from '../decisions/table.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { words } from '../plain/markdown.ts';
import { getSeatTitle } from '../plain/naming.ts';
import type { Block, Section } from './parts.ts';

/** Returns the page's sections on predictions, decisions and outcomes; empty if there are none. */
export function decisionPageSections(facts: readonly AnyFact[], view: RunView): Section[] {
  const decisions = decisionsOf(facts);
  const tables = predictionTables(
    decisions,
    (seat) => getSeatTitle(seat, view),
    view.seats.map(({ id }) => id),
  );
  const taken = formatDecisions(decisions);
  const observed = formatObservations(decisions);
  return [
    ...(taken.length === 0
      ? []
      : [
          {
            title: 'Decision',
            blocks: taken.map(({ text, lines }) =>
              markdown([`**${words(text)}**`, list(lines)].join('\n\n')),
            ),
          },
        ]),
    ...tables.map(({ version, columns, rows, notes }): Section => {
      const isKnown = rows.some(({ isOpen }) => !isOpen);
      const about = `Predictions of synthesis v${version} with the probability that each model gives`;
      const blocks: Block[] = [
        {
          kind: 'table',
          table: {
            about,
            head: [
              ...['', 'prediction', 'by', '>panel'],
              ...columns.map((name) => `>${name}`),
              ...(isKnown ? ['outcome'] : []),
            ],
            rows: rows.map(({ id, sentence, date, panel, forecasts, details, ...row }) => ({
              anchor: id,
              cells: [
                id,
                { text: sentence, below: [...details, ...row.reasons] },
                date,
                panel,
                ...forecasts,
                ...(isKnown ? [row.outcome] : []),
              ],
            })),
          },
        },
        ...(notes.length === 0 ? [] : [markdown(list(notes))]),
      ];
      return {
        title: tables.length === 1 ? 'Predictions' : `Predictions of synthesis v${version}`,
        blocks: rows.length === 0 ? blocks.slice(1) : blocks,
      };
    }),
    ...(observed.length === 0
      ? []
      : [{ title: 'What became of claims', blocks: [markdown(list(observed))] }]),
  ];
}

function markdown(text: string): Block {
  return { kind: 'markdown', text };
}

function list(lines: readonly string[]): string {
  return lines.map((one) => `- ${words(one)}`).join('\n');
}
