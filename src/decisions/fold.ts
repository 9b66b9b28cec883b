/** Folds a run's decision facts into a view: predictions with their forecasts, decisions, and outcomes. */
import type { AnyFact } from '../kernel/vocabulary.ts';
import { getModelFamily } from '../protocols/common/voting/lineage.ts';
import {
  DECISIONS,
  type DecisionFact,
  type DecisionFactOf,
  type Prediction,
  type RefusedDraft,
} from './facts.ts';
import { poolForecasts } from './forecasts.ts';

/** One model's probability for one prediction. */
export interface ForecastView {
  readonly model: string;
  /** The family of the model, such as `claude`, from `getModelFamily`. */
  readonly lineage: string;
  /** Ids of the seats that the model plays. */
  readonly seats: readonly string[];
  /** The probability in percent, from 1 to 99. */
  readonly percent: number;
  /** The model's reason for the number. */
  readonly why: string;
}

/** When a person made a statement, and who it was if they gave a name. */
interface Told {
  readonly at: string;
  readonly by?: string | undefined;
}

type ResolutionView = Told & Omit<DecisionFactOf<'prediction.resolved'>, 'v' | 'type'>;
type ObservationView = Told & Omit<DecisionFactOf<'claim.observed'>, 'v' | 'type'>;
type ReviewView = Told & Omit<DecisionFactOf<'decision.reviewed'>, 'v' | 'type'>;

/** A prediction with its forecasts and what people said about its outcome. */
export interface PredictionView extends Prediction {
  /** The version of the synthesis from which the prediction was drafted. */
  readonly version: number;
  /** The number of the question that this synthesis answers. */
  readonly question: number;
  /** The model that drafted the prediction. */
  readonly drafter: string;
  /** The day on which the prediction was drafted. */
  readonly draftedOn: string;
  readonly forecasts: readonly ForecastView[];
  /** Models that gave no usable probability, and the reason. */
  readonly missing: readonly {
    readonly model: string;
    readonly seats: readonly string[];
    readonly why: string;
  }[];
  /**
   * The probability of the whole panel in percent, and the number of model families in it; absent
   * if no model gave one.
   */
  readonly panel?: { readonly percent: number; readonly voices: number } | undefined;
  /**
   * The id of the run that drafted the prediction; absent unless this run is a fork that copied it.
   */
  readonly parent?: string | undefined;
  /**
   * Whether the stand-in drafted the prediction or gave a forecast, so that the figures mean
   * nothing.
   */
  readonly rehearsal: boolean;
  /** What people said about the outcome, in order; the last one counts. */
  readonly resolutions: readonly ResolutionView[];
}

/** A decision that a person recorded, with its reviews. */
export interface TakenView extends Omit<DecisionFactOf<'decision.taken'>, 'v' | 'type'> {
  /** When the decision was recorded, in ISO 8601. */
  readonly at: string;
  readonly reviews: readonly ReviewView[];
}

/** The predictions, decisions and observations of a run. */
export interface DecisionsView {
  readonly predictions: readonly PredictionView[];
  /** Refused drafts of predictions, by the version of their synthesis. */
  readonly leftOut: ReadonlyMap<number, readonly RefusedDraft[]>;
  /** The decisions, in the order in which they were taken. Only the last one is in force. */
  readonly taken: readonly TakenView[];
  /** What people observed about claims after the run. */
  readonly observations: readonly ObservationView[];
}

/** The view of a run that has no predictions, decisions or observations. */
export const NO_DECISIONS: DecisionsView = {
  predictions: [],
  leftOut: new Map(),
  taken: [],
  observations: [],
};

/**
 * Computes a run's predictions, its decisions, and what people observed about its claims, from all facts
 * of the run. Other facts are ignored.
 */
export function decisionsOf(facts: Iterable<AnyFact>): DecisionsView {
  let view = NO_DECISIONS;
  for (const fact of facts) view = foldDecisions(view, fact);
  return view;
}

/**
 * Returns the view after one more fact of the run. Facts that are not about predictions or
 * decisions change nothing.
 */
export function foldDecisions(view: DecisionsView, any: AnyFact): DecisionsView {
  const fact = DECISIONS.own(any);
  switch (fact?.type) {
    case 'predictions.drafted':
      return withDrafts(view, fact);
    case 'forecasts.given':
      return changePredictions(view, fact.version, (prediction) => withForecasts(prediction, fact));
    case 'panel.forecast':
      return changePredictions(view, fact.version, (prediction) => {
        const found = fact.panel.find((panel) => panel.prediction === prediction.id);
        return found && { panel: { percent: found.percent, voices: found.voices } };
      });
    case 'decision.taken': {
      const { v: _v, type: _type, ...taken } = bodyOf(fact);
      return { ...view, taken: [...view.taken, { ...taken, at: fact.at, reviews: [] }] };
    }
    case 'decision.reviewed': {
      const { v: _v, type: _type, ...review } = bodyOf(fact);
      const taken = view.taken.map((each) =>
        each.number === fact.number
          ? { ...each, reviews: [...each.reviews, { ...review, at: fact.at }] }
          : each,
      );
      return { ...view, taken };
    }
    case 'prediction.resolved': {
      const { v: _v, type: _type, ...resolution } = bodyOf(fact);
      const predictions = view.predictions.map((each) =>
        each.id === fact.id
          ? { ...each, resolutions: [...each.resolutions, { ...resolution, at: fact.at }] }
          : each,
      );
      return { ...view, predictions };
    }
    case 'claim.observed': {
      const { v: _v, type: _type, ...observed } = bodyOf(fact);
      return { ...view, observations: [...view.observations, { ...observed, at: fact.at }] };
    }
    case undefined:
      return view;
  }
}

function bodyOf<T extends DecisionFact>(fact: T): Omit<T, 'run' | 'seq' | 'at'> {
  const { run: _run, seq: _seq, at: _at, ...rest } = fact;
  return rest;
}

/**
 * Returns the view with newly drafted predictions. They replace earlier ones of the same version, which
 * exist if the run was stopped and its synthesis written again.
 */
function withDrafts(
  view: DecisionsView,
  fact: Extract<DecisionFact, { type: 'predictions.drafted' }>,
): DecisionsView {
  const { version, question, model: drafter, today: draftedOn, rehearsal } = fact;
  const made = fact.predictions.map((prediction): PredictionView => {
    const parent = fact.drafted_in === fact.run ? {} : { parent: fact.drafted_in };
    return {
      ...prediction,
      version,
      question,
      drafter,
      draftedOn,
      rehearsal,
      forecasts: [],
      missing: [],
      resolutions: [],
      ...parent,
    };
  });
  return {
    ...view,
    predictions: [...view.predictions.filter((each) => each.version !== version), ...made],
    leftOut: new Map([...view.leftOut, [version, fact.left_out]]),
  };
}

function changePredictions(
  view: DecisionsView,
  version: number,
  by: (prediction: PredictionView) => Partial<PredictionView> | undefined,
): DecisionsView {
  const predictions = view.predictions.map((prediction) =>
    prediction.version === version ? { ...prediction, ...by(prediction) } : prediction,
  );
  return { ...view, predictions };
}

function withForecasts(
  { id, forecasts, missing, rehearsal }: PredictionView,
  { model, seats, rehearsal: played, ...given }: DecisionFactOf<'forecasts.given'>,
): Partial<PredictionView> {
  const found = given.forecasts.find(({ prediction }) => prediction === id);
  const left = given.left_out.find(({ prediction }) => prediction === id);
  const isOtherModel = (forecast: { readonly model: string }): boolean => forecast.model !== model;
  const lineage = getModelFamily(model);
  return {
    rehearsal: rehearsal || played,
    forecasts: [
      ...forecasts.filter(isOtherModel),
      ...(found === undefined
        ? []
        : [{ model, lineage, seats, percent: found.percent, why: found.why }]),
    ],
    missing: [
      ...missing.filter(isOtherModel),
      ...(left === undefined ? [] : [{ model, seats, why: left.why }]),
    ],
  };
}

type Given = Pick<DecisionFactOf<'forecasts.given'>, 'model' | 'forecasts'>;

/**
 * Returns the panel's probability, in percent, for each prediction that has a forecast. Models of
 * one family count as one voice, and a model that copied another (see `findCopies`) does not count.
 * @param given each model with its forecasts
 * @returns `voices` is the number of voices that were combined
 */
export function poolVoices(
  predictions: readonly Pick<Prediction, 'id'>[],
  given: readonly Given[],
): { prediction: string; percent: number; voices: number }[] {
  const copied = findCopies(given);
  return predictions.flatMap(({ id }) => {
    const voices = given.flatMap(({ model, forecasts }) => {
      const own = forecasts.find(({ prediction }) => prediction === id);
      return own === undefined || copied.has(model) ? [] : [{ model, percent: own.percent }];
    });
    const pooled = poolForecasts(voices);
    return pooled === undefined ? [] : [{ prediction: id, ...pooled }];
  });
}

/**
 * Returns the models whose numbers and reasons repeat those of an earlier model word for word, each
 * with that earlier model. Models that gave no reason of at least four words are ignored.
 * @param given each model with its forecasts
 */
export function findCopies(given: readonly Given[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const copied = new Map<string, string>();
  for (const { model, forecasts } of given) {
    const words = forecasts.map(({ prediction, percent, why }) =>
      [
        prediction,
        percent,
        why
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu)
          ?.join(' ') ?? '',
      ].join(' '),
    );
    // Equal numbers with very short reasons do not show that a model copied another: many models
    // say 60 %.
    if (forecasts.every(({ why }) => why.split(/\s+/).length < 4)) continue;
    const first = said.get(words.join('\n'));
    if (first === undefined) said.set(words.join('\n'), model);
    else copied.set(model, first);
  }
  return copied;
}

/** Returns the decision in force, which is the latest one; undefined if nothing was decided. */
export function standingDecision({ taken }: DecisionsView): TakenView | undefined {
  return taken.at(-1);
}

/** The outcome of a prediction, as far as it is known. */
type Outcome =
  | { readonly state: 'open' }
  | { readonly state: 'yes' | 'no'; readonly told: ResolutionView }
  | { readonly state: 'void'; readonly why: string; readonly told?: ResolutionView };

/**
 * Returns the outcome of a prediction. If a prediction assumes the recommendation, and the decision
 * in force does not follow it, the outcome is `void` whatever people said.
 */
export function outcomeOf(prediction: PredictionView, view: DecisionsView): Outcome {
  const decision = standingDecision(view);
  if (decision?.follows === false && prediction.if === 'recommended')
    return { state: 'void', why: 'something else than the recommendation was decided' };
  const told = prediction.resolutions.at(-1);
  if (told === undefined || told.outcome === 'later') return { state: 'open' };
  if (told.outcome === 'void') return { state: 'void', why: told.why ?? '', told };
  return { state: told.outcome, told };
}

/**
 * Returns the day from which a person is asked about a prediction: its own date, or the later day
 * that a person chose.
 */
export function dueDay({ date, resolutions }: PredictionView): string {
  const told = resolutions.at(-1);
  return told?.outcome === 'later' && told.date !== undefined ? told.date : date;
}

/**
 * Returns the predictions to show and to score. If several syntheses answer the same question, only
 * predictions from one of them count: the one that the decision in force is about, or else the
 * latest.
 */
export function countingPredictions(view: DecisionsView): readonly PredictionView[] {
  const { predictions } = view;
  const decided = standingDecision(view)?.version;
  const latest = new Map<number, number>();
  for (const { question, version } of predictions)
    latest.set(question, Math.max(version, latest.get(question) ?? 0));
  for (const { question, version } of predictions)
    if (version === decided) latest.set(question, version);
  return predictions.filter(({ question, version }) => latest.get(question) === version);
}

/**
 * Returns the difference between the highest and the lowest forecast, in percentage points; 0 if
 * there are fewer than two forecasts.
 */
export function spreadOf({ forecasts }: Pick<PredictionView, 'forecasts'>): number {
  const percents = forecasts.map(({ percent }) => percent);
  return percents.length < 2 ? 0 : Math.max(...percents) - Math.min(...percents);
}
