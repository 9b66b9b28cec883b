/** Predictions, decisions and outcomes of a run, as sections of reports and as text for pipes. */
import { daysBetween } from '../decisions/dates.ts';
import { findDueItems } from '../decisions/due.ts';
import { DECISIONS } from '../decisions/facts.ts';
import {
  type DecisionsView,
  decisionsOf,
  foldDecisions,
  NO_DECISIONS,
  standingDecision,
} from '../decisions/fold.ts';
import {
  formatDecisions,
  formatObservations,
  formatReviews,
  type PredictionTable,
  predictionTables,
} from '../decisions/table.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { list } from '../text/markdown/blocks.ts';
import { formatCount } from '../text/numbers.ts';
import { type Block, makeSection, makeTableBlock, type Section } from './blocks.ts';
import { sectionsText } from './blocks-text.ts';
import { escapeLine } from './markdown.ts';
import { getSeatTitle } from './naming.ts';

/**
 * Returns the report's sections on a person's decision, on the predictions of each synthesis, and on what became
 * of claims. A section is empty if the run has nothing for it.
 */
export function decisionSections(facts: readonly AnyFact[], view: RunView): Section[] {
  const decisions = decisionsOf(facts);
  const tables = predictionTables(decisions, (seat) => getSeatTitle(seat, view), seatIds(view));
  return [
    makeSection(
      'Decision',
      ...formatDecisions(decisions).map(({ text, lines }) =>
        [`**${escapeLine(text)}**`, formatBullets(lines)].join('\n\n'),
      ),
    ),
    ...tables.map((table) =>
      makeSection(
        tables.length === 1 ? 'Predictions' : `Predictions of synthesis v${table.version}`,
        ...predictionBlocks(table),
      ),
    ),
    makeSection('What became of claims', formatBullets(formatObservations(decisions))),
  ];
}

/** Returns a table of predictions and the notes below it. */
function predictionBlocks({ version, columns, rows, notes }: PredictionTable): Block[] {
  const isKnown = rows.some(({ isOpen }) => !isOpen);
  return [
    makeTableBlock(
      `Predictions of synthesis v${version} with the probability that each model gives.`,
      ['', 'prediction', 'by', '>panel', ...columns.map((name) => `>${name}`)].concat(
        isKnown ? ['outcome'] : [],
      ),
      rows.map(({ id, sentence, date, panel, forecasts, outcome, details, reasons }) => ({
        anchor: id,
        cells: [
          id,
          { text: sentence, below: [...details, ...reasons] },
          date,
          panel,
          ...forecasts,
          ...(isKnown ? [outcome] : []),
        ],
      })),
    ),
    formatBullets(notes),
  ];
}

function formatBullets(lines: readonly string[]): string {
  return list(lines.map(escapeLine));
}

function seatIds({ seats }: RunView): string[] {
  return seats.map(({ id }) => id);
}

/** Formats predictions, decisions and what became of claims for standard output, fact by fact. */
export class DecisionTeller {
  #view = NO_DECISIONS;
  /** The last day on which a person said something about the run, or else the day of its end. */
  #day: string | undefined;
  /** The version of the synthesis whose predictions were drafted and not printed yet. */
  #untold: number | undefined;

  /**
   * Returns the texts to print after a fact; none for most facts. Expects all facts of the run in order.
   *
   * @param run the run's state after that fact
   */
  tell(any: AnyFact, run: RunView): string[] {
    const before = this.#view;
    this.#view = foldDecisions(before, any);
    const fact = DECISIONS.own(any);
    if (any.type === 'run.ended') this.#day = any.at.slice(0, 10);
    switch (fact?.type) {
      case 'predictions.drafted':
        this.#untold = fact.version;
        return fact.predictions.length === 0 ? this.#table(run) : [];
      case 'panel.forecast':
        return this.#table(run);
      case 'decision.taken':
        return [...this.#later(any, before), this.#decision()];
      case 'decision.reviewed':
        return [...this.#later(any, before), this.#review()];
      case 'prediction.resolved':
        return [...this.#later(any, before), ...this.#resolved(fact.id, run)];
      case 'claim.observed':
        return [
          ...this.#later(any, before),
          `${escapeLine(formatObservations(this.#view).at(-1) ?? '')}\n`,
        ];
      default:
        // If the fact `panel.forecast` is missing, the predictions are printed when the run ends.
        return any.type === 'run.ended' ? this.#table(run) : [];
    }
  }

  /** Returns the decision in force with its details. */
  #decision(): string {
    const [standing] = formatDecisions(this.#view);
    return `Decided: ${standing?.text ?? ''}\n\n${formatBullets(standing?.lines ?? [])}\n`;
  }

  /** Returns the latest review of the decision in force. */
  #review(): string {
    const standing = standingDecision(this.#view);
    const reviews =
      standing === undefined ? [] : formatReviews(standing).slice(standing.reviews.length - 1);
    return `The decision was looked at again.\n\n${formatBullets(reviews)}\n`;
  }

  /** Returns what came of a prediction, and the scores once none of its synthesis is open. */
  #resolved(id: string, run: RunView): string[] {
    const table = this.#tables(run).find(({ rows }) => rows.some((row) => row.id === id));
    const row = table?.rows.find((each) => each.id === id);
    if (table === undefined || row === undefined) return [];
    const { sentence, outcome, panel, details } = row;
    const evidence = details.filter((detail) => detail.startsWith('Evidence: '));
    const told = [
      `${escapeLine(`${id}: ${sentence}`)}`,
      formatBullets([`${outcome}; the panel had said ${panel}`, ...evidence]),
    ].join('\n\n');
    const isOver = table.score !== undefined && table.rows.every(({ isOpen }) => !isOpen);
    return [`${told}\n`, ...(isOver ? [`${table.score}\n`] : [])];
  }

  /**
   * Returns a heading if a person speaks on a later day than anybody before, with what was due on that day.
   * Open claims are left out, because a teller does not know their status.
   */
  #later({ at }: AnyFact, before: DecisionsView): string[] {
    const [last, day] = [this.#day, at.slice(0, 10)];
    this.#day = day;
    if (last === undefined || day <= last) return [];
    const due = findDueItems(before, day, () => false).map(
      ({ id, kind, day: since, text }) =>
        `${kind === 'decision' ? 'the decision, to be looked at again' : id} (${since}): ${text}`,
    );
    return [
      `# ${day}, ${formatCount(daysBetween(last, day), 'day')} later\n`,
      ...(due.length === 0 ? [] : [`Due on that day:\n\n${formatBullets(due)}\n`]),
    ];
  }

  #tables(run: RunView): PredictionTable[] {
    return predictionTables(this.#view, (seat) => getSeatTitle(seat, run), seatIds(run));
  }

  #table(run: RunView): string[] {
    const version = this.#untold;
    this.#untold = undefined;
    const told = this.#tables(run).find((table) => table.version === version);
    if (told === undefined) return [];
    const blocks = makeSection(`Predictions (v${version})`, ...predictionBlocks(told));
    return [`${sectionsText([blocks]).join('\n\n')}\n`];
  }
}
