/**
 * Prepares a run's predictions, decisions and outcomes for display: a table and sentences, safe to print,
 * which the console, the reports and pipes share.
 */

import { toLine } from '../text/line.ts';
import { formatCount } from '../text/numbers.ts';
import { withoutFalse } from '../text/without-undefined.ts';
import { isDay } from './dates.ts';
import {
  countingPredictions,
  type DecisionsView,
  dueDay,
  type ForecastView,
  findCopies,
  outcomeOf,
  type PredictionView,
  spreadOf,
  type TakenView,
} from './fold.ts';

/** A prediction as a row of a table. */
export interface PredictionRow {
  readonly id: string;
  readonly sentence: string;
  /** The day on which the prediction can be answered. */
  readonly date: string;
  /** The panel's probability, such as `63 %`; a dash if no model gave one. */
  readonly panel: string;
  /** For each column the model's probability, such as `70 %`, or a dash. */
  readonly forecasts: readonly string[];
  /** The outcome in words, such as `open`, `came true (said on 2027-03-01)` or `void: …`. */
  readonly outcome: string;
  /** Whether the outcome is still unknown. */
  readonly isOpen: boolean;
  /**
   * Further lines: what to look at, what the prediction assumes, the command and how it ended if a person
   * ran it, and the evidence that a person gave.
   */
  readonly details: readonly string[];
  /** Each model's reason for its number, such as `Critic 70 %: the last two took longer`. */
  readonly reasons: readonly string[];
}

/** The predictions from one synthesis as a table. */
export interface PredictionTable {
  /** The version of the synthesis. */
  readonly version: number;
  /**
   * The headings of the columns. There is a column for each model that gave a forecast, with the
   * titles of its seats.
   */
  readonly columns: readonly string[];
  /** The predictions, beginning with the widest difference between forecasts. */
  readonly rows: readonly PredictionRow[];
  /**
   * The sentence on the scores of the panel and the models, which is also among `notes`; absent if
   * there is no prediction to score.
   */
  readonly score?: string | undefined;
  /** Sentences about the whole table. */
  readonly notes: readonly string[];
}

const NOTHING = '–';

/**
 * Returns a table for each synthesis whose predictions count, and for each for which no draft was
 * accepted.
 *
 * @param titleOf returns the display name of a seat
 * @param order the ids of the seats in the order of the columns; models with other seats follow
 */
export function predictionTables(
  view: DecisionsView,
  titleOf: (seat: string) => string,
  order: readonly string[] = [],
): PredictionTable[] {
  const counting = countingPredictions(view);
  const versions = new Set(counting.map(({ version }) => version));
  // A synthesis whose drafts of predictions were all refused gets a table too, which says why it has no
  // predictions.
  for (const [version] of view.leftOut)
    if (!view.predictions.some((prediction) => prediction.version === version))
      versions.add(version);
  return [...versions]
    .sort((left, right) => left - right)
    .map((version) => tableOf(version, view, titleOf, order));
}

function tableOf(
  version: number,
  view: DecisionsView,
  titleOf: (seat: string) => string,
  order: readonly string[],
): PredictionTable {
  const predictions = view.predictions
    .filter((prediction) => prediction.version === version)
    .map((prediction) => ({ ...prediction, forecasts: inOrder(prediction.forecasts, order) }));
  const given = inOrder(modelsIn(predictions), order);
  const formatSeats = (seats: readonly string[]): string =>
    seats.map((seat) => titleOf(seat)).join(', ');
  const rows = predictions
    .toSorted((left, right) => spreadOf(right) - spreadOf(left))
    .map((prediction): PredictionRow => {
      const outcome = outcomeOf(prediction, view);
      return {
        id: toLine(prediction.id),
        sentence: toLine(prediction.sentence),
        date: toLine(prediction.date),
        panel: prediction.panel === undefined ? NOTHING : formatPercent(prediction.panel.percent),
        forecasts: given.map(({ model }) => {
          const own = prediction.forecasts.find((forecast) => forecast.model === model);
          return own === undefined ? NOTHING : formatPercent(own.percent);
        }),
        outcome: outcomeWords(prediction, view),
        isOpen: outcome.state === 'open',
        details: detailsOf(prediction),
        reasons: prediction.forecasts.map(
          ({ seats, percent, why }) =>
            `${formatSeats(seats)} ${formatPercent(percent)}${why === '' ? '' : `: ${toLine(why)}`}`,
        ),
      };
    });
  return {
    version,
    columns: given.map(({ seats }) => formatSeats(seats)),
    rows,
    score: scoreNote(predictions, given, view, formatSeats),
    notes: notesOf(version, predictions, given, view, formatSeats),
  };
}

/** Sorts forecasts by the first of their seats in `order`; those without any follow as they were. */
function inOrder(
  forecasts: readonly ForecastView[],
  order: readonly string[],
): readonly ForecastView[] {
  const placeOf = ({ seats }: ForecastView): number => {
    const places = seats.map((seat) => order.indexOf(seat)).filter((place) => place >= 0);
    return places.length === 0 ? order.length : Math.min(...places);
  };
  return forecasts.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Returns the first forecast of each model, in the order in which the models were asked. */
function modelsIn(predictions: readonly PredictionView[]): ForecastView[] {
  const models = new Map<string, ForecastView>();
  for (const { forecasts } of predictions)
    for (const forecast of forecasts)
      if (!models.has(forecast.model)) models.set(forecast.model, forecast);
  return [...models.values()];
}

/** Formats a probability as `63 %`. Values below 5 and above 95 keep one decimal. */
function formatPercent(percent: number): string {
  const isExtreme = percent < 5 || percent > 95;
  return `${isExtreme ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** Returns the outcome of a prediction in a few words. */
function outcomeWords(prediction: PredictionView, view: DecisionsView): string {
  const outcome = outcomeOf(prediction, view);
  switch (outcome.state) {
    case 'yes':
      return `came true (said on ${outcome.told.at.slice(0, 10)}${byWords(outcome.told.by)})`;
    case 'no':
      return `did not come true (said on ${outcome.told.at.slice(0, 10)}${byWords(outcome.told.by)})`;
    case 'void':
      return `void${outcome.why === '' ? '' : `: ${toLine(outcome.why)}`}`;
    case 'open': {
      const day = dueDay(prediction);
      return day === prediction.date ? 'open' : `open, put off to ${toLine(day)}`;
    }
  }
}

function byWords(by: string | undefined): string {
  return by === undefined ? '' : ` by ${toLine(by)}`;
}

function detailsOf({ look, if: condition, command, resolutions }: PredictionView): string[] {
  const { evidence, ran } = resolutions.at(-1) ?? {};
  const exit =
    ran === undefined || ran.exit === null ? 'was killed' : `ended with exit ${ran.exit}`;
  return withoutFalse([
    `Look at: ${toLine(look)}`,
    condition === 'recommended' ? 'If the recommendation is followed' : 'Whatever is decided',
    command !== undefined && `Command: ${toLine(command)}`,
    ran !== undefined && `The command was run and ${exit}`,
    evidence !== undefined && `Evidence: ${toLine(evidence)}`,
  ]);
}

function notesOf(
  version: number,
  predictions: readonly PredictionView[],
  given: readonly ForecastView[],
  view: DecisionsView,
  name: (seats: readonly string[]) => string,
): string[] {
  const refused = (view.leftOut.get(version) ?? []).map(({ text, why }) =>
    text === '' ? toLine(why) : `"${toLine(text)}": ${toLine(why)}`,
  );
  const voices = Math.max(0, ...predictions.map(({ panel }) => panel?.voices ?? 0));
  return withoutFalse([
    voices !== 0 &&
      `Panel: the mean of the log odds, one voice a lineage (${formatCount(given.length, 'model')}, ${formatCount(voices, 'voice')}).`,
    ...[scoreNote(predictions, given, view, name) ?? []].flat(),
    predictions.some(({ rehearsal }) => rehearsal) &&
      'The stand-in gave these probabilities: they say nothing.',
    ...[...new Set(predictions.flatMap(({ parent }) => parent ?? []))].map(
      (parent) =>
        `They are those of the run that this one is a fork of, ${toLine(parent)}, and are resolved there.`,
    ),
    ...doubtsOf(predictions, given, name),
    ...missingOf(predictions, name),
    refused.length !== 0 &&
      (predictions.length === 0
        ? `No prediction could stand: ${refused.join('; ')}.`
        : `Drafts that were refused: ${refused.join('; ')}.`),
  ]);
}

/** A prediction that was answered with yes or no, with the panel's probability in percent. */
interface Answered {
  readonly prediction: PredictionView;
  readonly happened: boolean;
}

/**
 * Returns a sentence with the Brier score of the panel and of each model, in the order of `given`; undefined if
 * no prediction was answered with yes or no. The stand-in has no scores, and neither has a fork for the
 * predictions of its parent.
 */
function scoreNote(
  predictions: readonly PredictionView[],
  given: readonly ForecastView[],
  view: DecisionsView,
  name: (seats: readonly string[]) => string,
): string | undefined {
  const answered = predictions.flatMap((prediction): Answered[] => {
    const { state } = outcomeOf(prediction, view);
    const counts = !prediction.rehearsal && prediction.parent === undefined;
    return counts && (state === 'yes' || state === 'no')
      ? [{ prediction, happened: state === 'yes' }]
      : [];
  });
  const panel = scoreOf(answered, ({ panel: pooled }) => pooled?.percent);
  if (panel === undefined) return undefined;
  const models = given.flatMap(({ model, seats }) => {
    const own = scoreOf(
      answered,
      ({ forecasts }) => forecasts.find((forecast) => forecast.model === model)?.percent,
    );
    return own === undefined ? [] : [`${name(seats)} ${own}`];
  });
  return `Brier score on ${formatCount(answered.length, 'prediction')} that ${answered.length === 1 ? 'was' : 'were'} answered: panel ${[panel, ...models].join(', ')}. Lower is better, and always saying 50 % gets 0.250. One decision is too few to compare anybody.`;
}

/** Returns the mean squared error with three decimals; undefined if no probability was given. */
function scoreOf(
  answered: readonly Answered[],
  percentOf: (prediction: PredictionView) => number | undefined,
): string | undefined {
  const errors = answered.flatMap(({ prediction, happened }) => {
    const percent = percentOf(prediction);
    return percent === undefined ? [] : [(percent / 100 - Number(happened)) ** 2];
  });
  if (errors.length === 0) return undefined;
  return (errors.reduce((sum, error) => sum + error, 0) / errors.length).toFixed(3);
}

/** Returns remarks on forecasts of little worth: a model that says 50 % throughout, or copies another. */
function doubtsOf(
  predictions: readonly PredictionView[],
  given: readonly ForecastView[],
  name: (seats: readonly string[]) => string,
): string[] {
  const by = given.map(({ model, seats }) => ({
    model,
    seats,
    forecasts: predictions.flatMap(({ id: prediction, forecasts }) =>
      forecasts
        .filter((forecast) => forecast.model === model)
        .map(({ percent, why }) => ({ prediction, percent, why })),
    ),
  }));
  const copies = findCopies(by);
  const seatsOf = (model: string): string =>
    name(given.find((forecast) => forecast.model === model)?.seats ?? []);
  return [
    ...by
      .filter(
        ({ forecasts }) => forecasts.length > 1 && forecasts.every(({ percent }) => percent === 50),
      )
      .map(({ seats }) => `${name(seats)} says 50 % to everything, which says nothing.`),
    ...[...copies].map(
      ([model, other]) =>
        `${seatsOf(model)} gave the numbers and words of ${seatsOf(other)}: both are one voice.`,
    ),
    ...equalNumbers(by).flatMap(([model, other]) =>
      copies.has(model)
        ? []
        : [
            `${seatsOf(model)} gave the numbers of ${seatsOf(other)} in other words: that may be chance.`,
          ],
    ),
  ];
}

/** The fewest predictions on which equal numbers of two models are worth a remark. */
const MIN_EQUAL = 3;

/** Returns pairs of a model and the first model before it that gave the same numbers to every prediction. */
function equalNumbers(
  by: readonly {
    readonly model: string;
    readonly forecasts: readonly { readonly prediction: string; readonly percent: number }[];
  }[],
): [string, string][] {
  const first = new Map<string, string>();
  return by.flatMap(({ model, forecasts }): [string, string][] => {
    const isSame = forecasts.every(({ percent }) => percent === forecasts[0]?.percent);
    if (forecasts.length < MIN_EQUAL || isSame) return [];
    const key = forecasts.map(({ prediction, percent }) => `${prediction} ${percent}`).join();
    const other = first.get(key);
    if (other === undefined) first.set(key, model);
    return other === undefined ? [] : [[model, other]];
  });
}

/** Returns remarks on models without a probability: for each model and reason, the predictions concerned. */
function missingOf(
  predictions: readonly PredictionView[],
  name: (seats: readonly string[]) => string,
): string[] {
  const reasons = new Map<string, string[]>();
  for (const { id, missing } of predictions)
    for (const { model, seats, why } of missing) {
      const key = `${name(seats)} (${toLine(model)}) has no probability: ${toLine(why)}`;
      reasons.set(key, [...(reasons.get(key) ?? []), id]);
    }
  return [...reasons].map(([reason, ids]) =>
    ids.length === predictions.length ? `${reason}.` : `${reason} (${ids.join(', ')}).`,
  );
}

/** A decision in sentences: what was decided, the option, the reviews, by whom. */
interface DecisionWords {
  readonly number: number;
  readonly text: string;
  /** `Decided on 2026-11-27 by Ada`, then a line for each further detail. */
  readonly lines: readonly string[];
  readonly isStanding: boolean;
}

/** Formats the decisions, newest first. Only the first is in force. */
export function formatDecisions({ taken }: DecisionsView): DecisionWords[] {
  return taken.toReversed().map((decision, index) => ({
    number: decision.number,
    text: toLine(decision.text),
    isStanding: index === 0,
    lines: withoutFalse([
      `Decided on ${decision.at.slice(0, 10)}${byWords(decision.by)}`,
      decision.option !== undefined && `Option: ${toLine(decision.option)}`,
      !decision.follows && 'It is not what the panel recommended',
      ...formatReviews(decision),
      decision.note !== undefined && `Note: ${toLine(decision.note)}`,
      index !== 0 && 'Superseded by a later decision',
    ]),
  }));
}

/** Returns the day of the next review of a decision; undefined if no review is planned. */
export function reviewDay({ review, reviews }: TakenView): string | undefined {
  const last = reviews.at(-1);
  const day = last === undefined ? review : last.review;
  return day !== undefined && isDay(day) ? day : undefined;
}

/**
 * Returns a line for each past review of a decision, and a line with the day of the next review if
 * one is planned.
 */
export function formatReviews(decision: TakenView): string[] {
  const day = reviewDay(decision);
  return [
    ...decision.reviews.map(
      ({ at, by, note }) =>
        `Looked at again on ${at.slice(0, 10)}${byWords(by)}: it stands${note === undefined ? '' : `. ${toLine(note)}`}`,
    ),
    ...(day === undefined ? [] : [`To be looked at again on ${day}`]),
  ];
}

/**
 * Formats what people observed about claims: `C-1-2 held (said on 2027-03-01): the queue kept up`.
 */
export function formatObservations({ observations }: DecisionsView): string[] {
  return observations.map(
    ({ claim, outcome, at, by, note, evidence }) =>
      `${toLine(claim)} ${outcome} (said on ${at.slice(0, 10)}${byWords(by)})${note === undefined ? '' : `: ${toLine(note)}`}${evidence === undefined ? '' : ` [${toLine(evidence)}]`}`,
  );
}
