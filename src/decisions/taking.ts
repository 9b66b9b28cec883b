/**
 * Checks what people say about a run, and makes facts of it: decisions, reviews, resolutions, observations.
 */
import { UsageError } from '../kernel/errors.ts';
import { toLine } from '../text/line.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { readDayAhead } from './dates.ts';
import { type DecisionFactOf, fact, OUTCOMES } from './facts.ts';
import { type DecisionsView, outcomeOf, type PredictionView, standingDecision } from './fold.ts';
import type { DecisionGrounds } from './grounds.ts';

/** Maximum number of characters in a decision, a note or a reason. */
const MOST_WORDS = 2_000;

/** A decision, as a person enters it. */
export interface DecisionWish {
  /** What was decided. */
  readonly text: string;
  /** The option of the ballots that was chosen; absent if none is named. */
  readonly option?: string | undefined;
  /** The day of the review, or a span from today: `2027-03-01`, `90d`. */
  readonly review?: string | undefined;
  /** Who decided; absent if nobody is named. */
  readonly by?: string | undefined;
  /** A further remark of the person. */
  readonly note?: string | undefined;
  /** Whether the decision follows the panel's recommendation. */
  readonly follows: boolean;
}

/** The state of the run that the decision is based on. */
interface DecidedOn {
  readonly view: DecisionsView;
  readonly grounds: DecisionGrounds;
  /** Version of the synthesis that counts; undefined if the run has none. */
  readonly version: number | undefined;
  readonly today: string;
}

/**
 * Makes the fact that records a new decision.
 * @param wish the decision as the person entered it
 * @param grounds what the run found, with the options that ballots named; `version` is the version
 *   of the synthesis that the decision is about
 * @throws UsageError if a text is too long or has no words, the option is on no ballot, or the date of
 *   the review is invalid or not in the future
 */
export function takeDecision(
  wish: DecisionWish,
  { view, grounds, version, today }: DecidedOn,
): DecisionFactOf<'decision.taken'> {
  const { review, by, note, follows } = wish;
  const option = wish.option === undefined ? undefined : findOption(wish.option, grounds);
  const open = grounds.open.map(({ id: claim, text }) => ({ claim, text }));
  return fact('decision.taken', {
    number: view.taken.length + 1,
    text: readText('the decision', wish.text),
    follows,
    ...withoutUndefined({ option }),
    ...(review === undefined ? {} : { review: readDayAhead(review, today) }),
    ...readOptionalTexts({ by, note }),
    ...withoutUndefined({ version }),
    ...(open.length === 0 ? {} : { open_claims: open }),
  });
}

function findOption(name: string, { options }: DecisionGrounds): string {
  const wanted = toLine(name).toLowerCase();
  const found = options.find(({ option }) => toLine(option).toLowerCase() === wanted)?.option;
  if (found !== undefined) return found;
  throw new UsageError(
    `--option ${toLine(name)}: no ballot names that option`,
    options.length === 0
      ? 'The run has no ballots: leave --option out.'
      : `The options are ${options.map(({ option }) => `"${toLine(option)}"`).join(', ')}.`,
  );
}

/**
 * Makes the fact that records that a person has reviewed the decision in force and confirmed it.
 * @throws UsageError if nothing was decided, the date of the next review is invalid or not in the
 * future, or a text is too long or has no words
 */
export function reviewDecision(
  view: DecisionsView,
  { review, by, note }: Pick<DecisionWish, 'review' | 'by' | 'note'>,
  today: string,
): DecisionFactOf<'decision.reviewed'> {
  const standing = standingDecision(view);
  if (standing === undefined) throw new UsageError('nothing was decided on this run');
  return fact('decision.reviewed', {
    number: standing.number,
    ...(review === undefined ? {} : { review: readDayAhead(review, today) }),
    ...readOptionalTexts({ by, note }),
  });
}

/** A person's statement about the outcome of a prediction. */
interface ResolutionWish {
  readonly outcome: string;
  /** The day to ask again, or a span from today; only with `later`. */
  readonly date?: string | undefined;
  /** The reason; required with `void`. */
  readonly why?: string | undefined;
  readonly by?: string | undefined;
  readonly evidence?: string | undefined;
  readonly ran?: DecisionFactOf<'prediction.resolved'>['ran'];
}

/**
 * Makes the fact that records the outcome of a prediction, or corrects an earlier answer.
 * @throws UsageError if the run has no such prediction, a fork copied the prediction from its
 * parent, the decision has made it void, the outcome is unknown or lacks its date or reason, the date
 * is invalid or goes with another outcome than `later`, or a text is too long or has no words
 */
export function resolvePrediction(
  view: DecisionsView,
  id: string,
  wish: ResolutionWish,
  today: string,
): DecisionFactOf<'prediction.resolved'> {
  const prediction = findPrediction(view, id);
  const outcome = OUTCOMES.find((candidate) => candidate === wish.outcome.trim().toLowerCase());
  if (outcome === undefined)
    throw new UsageError(
      `"${toLine(wish.outcome)}" is no outcome`,
      `Say ${OUTCOMES.join(', ')}: later with a date, void with --why.`,
    );
  refuseVoid(prediction, view);
  if (outcome === 'void' && (wish.why ?? '').trim() === '')
    throw new UsageError('say why the prediction is void', 'Add --why "…".');
  if (outcome === 'later' && wish.date === undefined)
    throw new UsageError('say when to ask again', 'Add a date such as 2027-03-01 or 30d.');
  if (outcome !== 'later' && wish.date !== undefined)
    throw new UsageError(`"${toLine(wish.date)}": only later takes a date`);
  const { by, evidence, why, ran } = wish;
  return fact('prediction.resolved', {
    id: prediction.id,
    outcome,
    ...(wish.date === undefined ? {} : { date: readDayAhead(wish.date, today) }),
    ...readOptionalTexts({ why, by, evidence }),
    ...withoutUndefined({ ran }),
  });
}

/**
 * Returns the prediction with an id, whose letter case is ignored.
 *
 * @throws UsageError if the run has no such prediction, or copied it from the run that it is a fork of
 */
function findPrediction(view: DecisionsView, id: string): PredictionView {
  const wanted = id.trim().toUpperCase();
  const found = view.predictions.find((prediction) => prediction.id === wanted);
  if (found === undefined)
    throw new UsageError(
      `the run has no prediction "${toLine(id)}"`,
      view.predictions.length === 0
        ? 'No predictions were made in it.'
        : `It has ${view.predictions.map((prediction) => prediction.id).join(', ')}.`,
    );
  if (found.parent !== undefined)
    throw new UsageError(
      `${found.id} is a prediction of run ${found.parent}, of which this one is a fork`,
      `Resolve it there: deliberate due ${found.parent.slice(0, 13)}`,
    );
  return found;
}

/**
 * Refuses a prediction that is void because the decision does not follow the recommendation.
 *
 * @throws UsageError
 */
function refuseVoid(prediction: PredictionView, view: DecisionsView): void {
  const outcome = outcomeOf(prediction, view);
  if (outcome.state === 'void' && outcome.told === undefined)
    throw new UsageError(`${prediction.id} is void: ${outcome.why}`);
}

/**
 * Makes the fact that records that a person has seen whether a claim was true.
 * @param claims the ids of the run's claims
 * @throws UsageError if the run has no such claim, the outcome is neither `held` nor `failed`, or a
 * text is too long or has no words
 */
export function observeClaim(
  claims: readonly string[],
  claim: string,
  wish: {
    readonly outcome: string;
    readonly note?: string | undefined;
    readonly evidence?: string | undefined;
    readonly by?: string | undefined;
  },
): DecisionFactOf<'claim.observed'> {
  const found = claims.find((candidate) => candidate === claim.trim().toUpperCase());
  if (found === undefined)
    throw new UsageError(
      `the run has no claim "${toLine(claim)}"`,
      claims.length === 0 ? 'Only rounds raise claims.' : `It has ${claims.join(', ')}.`,
    );
  const outcome = wish.outcome.trim().toLowerCase();
  if (outcome !== 'held' && outcome !== 'failed')
    throw new UsageError(`"${toLine(wish.outcome)}": say held or failed`);
  const { note, evidence, by } = wish;
  return fact('claim.observed', {
    claim: found,
    outcome,
    ...readOptionalTexts({ note, evidence, by }),
  });
}

/**
 * Returns a text as one clean line.
 *
 * @throws UsageError if the text has no letter or digit, or is too long
 */
function readText(what: string, text: string): string {
  const clean = toLine(text);
  if (!/[\p{L}\p{N}]/u.test(clean)) throw new UsageError(`${what} has no words`);
  if (clean.length > MOST_WORDS)
    throw new UsageError(
      `${what} has ${clean.length} characters; the most are ${MOST_WORDS}`,
      'Shorten it.',
    );
  return clean;
}

/**
 * Returns the fields that have text, each as one clean line.
 *
 * @throws UsageError if a text has no letter or digit, or is too long
 */
function readOptionalTexts<K extends string>(
  fields: Readonly<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const entries = Object.entries<string | undefined>(fields).flatMap(([name, text]) =>
    text === undefined || toLine(text) === '' ? [] : [[name, readText(name, text)] as const],
  );
  return Object.fromEntries(entries) as Partial<Record<K, string>>;
}
