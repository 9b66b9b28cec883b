/** Formats predictions, decisions and outcomes of a run as Markdown, for reports and for pipes. */
import { DECISIONS } from '../decisions/facts.ts';
import { decisionsOf, foldDecisions, NO_DECISIONS } from '../decisions/fold.ts';
import {
  decisionWords,
  observationWords,
  type PredictionTable,
  predictionTables,
} from '../decisions/table.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { line } from '../text/line.ts';
import { table, words } from './markdown.ts';
import { titleOf } from './naming.ts';

/**
 * Returns the sections, one entry for each paragraph; empty if the run has no predictions, decisions or
 * outcomes.
 */
export function decisionSections(facts: readonly AnyFact[], view: RunView): string[] {
  const decisions = decisionsOf(facts);
  const tables = predictionTables(decisions, (seat) => titleOf(seat, view));
  const taken = decisionWords(decisions);
  const observed = observationWords(decisions);
  return [
    ...(taken.length === 0 ? [] : ['## Decision']),
    ...taken.map(({ text, lines }) => [`**${words(text)}**`, bullets(lines)].join('\n\n')),
    ...(tables.length === 0 ? [] : ['## Predictions']),
    ...tables.flatMap((one) => [
      ...(tables.length === 1 ? [] : [`### Of synthesis v${one.version}`]),
      ...predictionParagraphs(one),
    ]),
    ...(observed.length === 0 ? [] : ['## What became of claims', bullets(observed)]),
  ];
}

/** Returns a table of predictions and the notes below it. */
function predictionParagraphs({ columns, rows, notes }: PredictionTable): string[] {
  const isKnown = rows.some(({ isOpen }) => !isOpen);
  return [
    ...(rows.length === 0
      ? []
      : [
          table(
            ['', 'prediction', 'by', '>panel', ...columns.map((name) => `>${words(name)}`)].concat(
              isKnown ? ['outcome'] : [],
            ),
            rows.map(({ id, sentence, date, panel, forecasts, outcome }) => [
              words(id),
              words(sentence),
              words(date),
              panel,
              ...forecasts,
              ...(isKnown ? [words(outcome)] : []),
            ]),
          ),
          bullets(
            rows.map(({ id, details, reasons }) => `${id}: ${[...details, ...reasons].join('. ')}`),
          ),
        ]),
    ...(notes.length === 0 ? [] : [bullets(notes)]),
  ];
}

function bullets(lines: readonly string[]): string {
  return lines.map((one) => `- ${words(one)}`).join('\n');
}

/** Formats a run's predictions and decisions for standard output, as they are recorded. */
export class DecisionTeller {
  #view = NO_DECISIONS;
  /** The version of the synthesis whose predictions were drafted and not printed yet. */
  #untold: number | undefined;

  /** Returns what to print after a fact, which `run` includes already. */
  tell(any: AnyFact, run: RunView): string[] {
    this.#view = foldDecisions(this.#view, any);
    const one = DECISIONS.own(any);
    switch (one?.type) {
      case 'predictions.drafted':
        this.#untold = one.version;
        return one.predictions.length === 0 ? this.#table(run) : [];
      case 'panel.forecast':
        return this.#table(run);
      case 'decision.taken':
        return [`Decided: ${line(one.text)}\n`];
      default:
        // At the end print what is left: nobody gave a probability, or the run was stopped before all had.
        return any.type === 'run.ended' ? this.#table(run) : [];
    }
  }

  #table(run: RunView): string[] {
    const version = this.#untold;
    this.#untold = undefined;
    const told = predictionTables(this.#view, (seat) => titleOf(seat, run)).find(
      (one) => one.version === version,
    );
    if (told === undefined) return [];
    return [`${[`## Predictions (v${version})`, ...predictionParagraphs(told)].join('\n\n')}\n`];
  }
}
