/**
 * Runs the phase after a synthesis: one model drafts predictions, every distinct model of the panel gives a
 * probability for each, and code computes the panel's figure. A failed call is recorded with its reason,
 * and the run continues without its answer.
 */
import type { Reply } from '../kernel/call.ts';
import type { Run } from '../kernel/handle.ts';
import type { Message, ModelRequest, PromptContents, Quoted, Seat } from '../kernel/model.ts';
import { isRehearsal } from '../kernel/providers/spec.ts';
import { addDays, dayOf } from './dates.ts';
import { type CheckedDrafts, checkDrafts } from './drafts.ts';
import { type DecisionFactOf, fact, type Prediction, type RefusedDraft } from './facts.ts';
import { poolVoices } from './fold.ts';
import { readPercent } from './forecasts.ts';
import { DRAFT_TASK, EDITION, FORECAST_TASK, MOST_PREDICTIONS } from './predictions.ts';
import {
  DRAFT_FORM,
  draftAgain,
  draftMessages,
  draftSchema,
  forecastAgain,
  forecastMessages,
  forecastSchema,
  type RunResult,
} from './prompts.ts';

/** The synthesis and the panel from which predictions are made, as a protocol passes them. */
export interface PredictionInputs {
  /** The number of predictions to make; 0 makes none. */
  readonly count: number;
  readonly question: string;
  /** The number of the question; 1 is the one that the run began with. */
  readonly questionNumber: number;
  /** The version of the synthesis. */
  readonly version: number;
  readonly synthesis: string;
  /** The recommendation of the synthesis, in a sentence or two; empty if it recommends nothing. */
  readonly recommendation: string;
  /**
   * Returns texts for the model that drafts: what is still open, and what would change the seats'
   * minds. `edition` is the version of the rules that the run recorded, see `EDITION`.
   */
  readonly pieces: (edition: number) => readonly Quoted[];
  /** The prefix of the steps' keys, such as `round-4`; absent if there is none. */
  readonly below?: string;
  /** The seat that drafts the predictions. */
  readonly drafter: Seat;
  /** The seats of the panel. */
  readonly seats: readonly Seat[];
  readonly seed: number;
}

/**
 * The day and version of the rules that are recorded when predictions begin. Runs under the first
 * version recorded only the day.
 */
interface Begun {
  /** The day of the draft in the time zone of the process that began the phase. */
  readonly today: string;
  readonly edition: number;
}

/** Limits of an answer: tokens in all, characters of a text, items of a list. Nobody reads longer drafts. */
const DRAFT_LIMITS = { tokens: 4_000, text: 1_200, items: MOST_PREDICTIONS * 2 };
const FORECAST_LIMITS = { tokens: 4_000, text: 1_200, items: MOST_PREDICTIONS * 2 };
/** How many characters of the reason for a forecast are kept. */
const MOST_WHY = 240;

/**
 * Asks a model to draft predictions, asks the panel for their probabilities, and records both. Does
 * nothing if `inputs.count` is 0.
 *
 * @throws RunStopped if the run is stopped meanwhile
 */
export async function predict(run: Run, inputs: PredictionInputs): Promise<void> {
  if (inputs.count > 0) await new Phase(run, inputs).execute();
}

class Phase {
  readonly #run: Run;
  /** Prefix of the recorded step names of the phase. */
  readonly #place: string;
  readonly #inputs: PredictionInputs;

  constructor(run: Run, inputs: PredictionInputs) {
    const { version, below } = inputs;
    this.#place = `${below === undefined ? '' : `${below}/`}predictions/${version}`;
    this.#run = run.scope(this.#place);
    this.#inputs = inputs;
  }

  async execute(): Promise<void> {
    const { question, seed, synthesis, pieces } = this.#inputs;
    const { today, edition } = await this.#begin();
    const grounds = { question, seed, synthesis, pieces: pieces(edition) };
    const predictions = await this.#draft(grounds, { today, edition });
    if (predictions.length === 0) return;
    const given = await Promise.all(
      groupByModel(this.#inputs.seats).map((players) =>
        this.#forecast(players, forecastMessages(grounds, predictions, today), predictions),
      ),
    );
    this.#throwIfStopped();
    await this.#pool(predictions, given);
  }

  /**
   * Returns the day and the edition that the run has recorded, and records them first if there are none. This
   * is the only reading of a clock in this phase. A run that is resumed on another day, on a machine with
   * another clock or in another time zone works with the recorded day.
   */
  async #begin(): Promise<Begun> {
    const { synthesis } = this.#inputs;
    // The day on which predictions are drafted is recorded for one synthesis. If a fork has another synthesis, it
    // records the day on which it drafts its own predictions.
    const begun = await this.#run.step<Begun | string>('today', { synthesis }, () => ({
      today: dayOf(new Date()),
      edition: EDITION,
    }));
    return typeof begun === 'string' ? { today: begun, edition: 1 } : begun;
  }

  async #draft(grounds: RunResult, { today, edition }: Begun): Promise<Prediction[]> {
    const { count, drafter, recommendation, version, questionNumber } = this.#inputs;
    const around = { today, recommendation, form: DRAFT_FORM, edition };
    const checkReply = (reply: Reply, known: CheckedDrafts['good']): CheckedDrafts => {
      const read = draftSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
      return read.success
        ? checkDrafts(read.data.predictions, around, known, count)
        : { good: [], refused: [] };
    };
    const messages = draftMessages(grounds, count, today);
    // Pass dates along with the prompt: the built-in stand-in for a model does not read prompts, and chooses
    // from these dates.
    const items = [30, 90, 180].map((days) => addDays(today, days));
    const about = { items, count: { least: 1, most: count } };
    const first = await this.#ask('drafts', drafter, DRAFT_TASK, messages, about);
    let { good, refused } = checkReply(first, []);
    let failed = whyFailed(first);
    if (first.status === 'done' && good.length < count) {
      const wanted = count - good.length;
      const { seed } = this.#inputs;
      const more = draftAgain(messages, first.text, { refused, wanted, seed });
      const second = await this.#ask('drafts/again', drafter, DRAFT_TASK, more, about);
      const checked = checkReply(second, good);
      good = [...good, ...checked.good];
      refused = [...refused, ...checked.refused];
      failed = whyFailed(second);
    }
    const predictions = good.map((draft, index) => ({ id: `P-${version}-${index + 1}`, ...draft }));
    const left_out: RefusedDraft[] = [...refused];
    if (predictions.length < count && failed !== undefined)
      left_out.push({ text: '', why: failed });
    const { model } = drafter;
    const step = `${this.#place}/drafted`;
    const body = { version, question: questionNumber, model, wanted: count, predictions, left_out };
    await this.#run.step('drafted', { ...body, today }, ({ emit }) =>
      emit(
        fact('predictions.drafted', {
          ...body,
          today,
          step,
          drafted_in: this.#run.id,
          rehearsal: isRehearsal(model),
        }),
      ),
    );
    return predictions;
  }

  /** Asks one model for its probabilities, and once more for predictions without a usable one. */
  async #forecast(
    [first, ...others]: readonly [Seat, ...Seat[]],
    messages: readonly Message[],
    predictions: readonly Prediction[],
  ): Promise<Given> {
    const { version } = this.#inputs;
    // Ask without the brief of the seat's role: a devil's advocate would otherwise forecast what
    // its role has to argue.
    const seat = { ...first, brief: '' };
    const ids = predictions.map(({ id }) => id);
    const key = `forecast/${first.id}`;
    const reply = await this.#ask(key, seat, FORECAST_TASK, messages, { items: ids });
    let read = readForecasts(reply, ids);
    if (reply.status === 'done' && read.left_out.length > 0) {
      const wanted = read.left_out.map(({ prediction }) => prediction);
      const more = forecastAgain(messages, reply.text, read.left_out);
      const again = await this.#ask(`${key}/again`, seat, FORECAST_TASK, more, { items: wanted });
      const second = readForecasts(again, wanted);
      read = {
        forecasts: [...read.forecasts, ...second.forecasts].sort(
          (left, right) => ids.indexOf(left.prediction) - ids.indexOf(right.prediction),
        ),
        left_out: second.left_out,
      };
    }
    const step = `${this.#place}/given/${first.id}`;
    const seats = [first, ...others].map(({ id }) => id);
    const body = { version, model: first.model, seats, ...read };
    await this.#run.step(`given/${first.id}`, body, ({ emit }) =>
      emit(fact('forecasts.given', { ...body, step, rehearsal: isRehearsal(first.model) })),
    );
    return body;
  }

  async #pool(predictions: readonly Prediction[], given: readonly Given[]): Promise<void> {
    const { version } = this.#inputs;
    const panel = poolVoices(predictions, given);
    if (panel.length === 0) return;
    await this.#run.step('panel', panel, ({ emit }) =>
      emit(fact('panel.forecast', { version, panel, step: `${this.#place}/panel` })),
    );
  }

  async #ask(
    key: string,
    seat: Seat,
    task: string,
    messages: readonly Message[],
    about: PromptContents,
  ): Promise<Reply> {
    const { question, seed } = this.#inputs;
    const isDraft = task === DRAFT_TASK;
    const request: ModelRequest = {
      task,
      about: { question, ...about },
      seat,
      messages,
      schema: isDraft ? draftSchema : forecastSchema,
      limits: isDraft ? DRAFT_LIMITS : FORECAST_LIMITS,
      seed,
    };
    const reply = await this.#run.ask(key, request);
    this.#throwIfStopped();
    return reply;
  }

  #throwIfStopped(): void {
    if (this.#run.signal.aborted) throw this.#run.signal.reason;
  }
}

type Given = Pick<
  DecisionFactOf<'forecasts.given'>,
  'version' | 'model' | 'seats' | 'forecasts' | 'left_out'
>;

/**
 * Reads the probabilities from an answer: for each prediction a forecast, or the reason why it is missing.
 */
function readForecasts(
  reply: Reply,
  ids: readonly string[],
): Pick<Given, 'forecasts' | 'left_out'> {
  const failed = whyFailed(reply);
  if (failed !== undefined)
    return { forecasts: [], left_out: ids.map((prediction) => ({ prediction, why: failed })) };
  const read = forecastSchema.safeParse(reply.status === 'done' ? reply.value : undefined);
  const said = read.success ? read.data.forecasts : [];
  const forecasts: Given['forecasts'] = [];
  const left_out: Given['left_out'] = [];
  for (const prediction of ids) {
    const own = said.filter((forecast) => forecast.prediction.trim().toUpperCase() === prediction);
    const percents = own.map(({ percent }) => readPercent(percent));
    const [first] = percents;
    const isTwice = new Set(percents.map((percent) => JSON.stringify(percent))).size > 1;
    if (first === undefined) left_out.push({ prediction, why: 'it gave no probability' });
    else if (isTwice) left_out.push({ prediction, why: 'it gave several probabilities' });
    else if ('why' in first) left_out.push({ prediction, why: first.why });
    else {
      const why = [...(own[0]?.why ?? '')].slice(0, MOST_WHY).join('').trim();
      forecasts.push({ prediction, percent: first.percent, why });
    }
  }
  return { forecasts, left_out };
}

/** Returns why a call has no answer, or undefined if the call was answered. */
function whyFailed(reply: Reply): string | undefined {
  if (reply.status === 'done') return undefined;
  return reply.status === 'stopped' ? 'it was stopped' : reply.message;
}

/** Groups seats by their model, in the order of the seats, so that each model is asked once. */
function groupByModel(seats: readonly Seat[]): [Seat, ...Seat[]][] {
  const models = new Map<string, [Seat, ...Seat[]]>();
  for (const seat of seats) {
    const players = models.get(seat.model);
    if (players === undefined) models.set(seat.model, [seat]);
    else players.push(seat);
  }
  return [...models.values()];
}
