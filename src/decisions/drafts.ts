/**
 * Checks drafts of predictions. A valid prediction names a day, something to look at on that day, and a
 * statement that may turn out true or false. Vague and empty wording is recognized in English only; dates,
 * repetitions and restatements of the recommendation are recognized in every language that separates its
 * words.
 */
import { isPlaceholder, repeatsForm } from '../text/form-words.ts';
import { toLine } from '../text/line.ts';
import { findPredictionFault } from './claim-faults.ts';
import { daysInWords, wordOverlap } from './content-words.ts';
import { addDays, isDay } from './dates.ts';
import { CONDITIONS, type Prediction, type RefusedDraft } from './facts.ts';

/** A prediction, as a model drafts it. */
export interface Draft {
  /** What will be the case. */
  readonly sentence: string;
  /** The day on which the prediction can be answered. */
  readonly date: string;
  /** What to look at to answer it. */
  readonly look: string;
  /** The course of action that it assumes: `recommended` or `any`. */
  readonly if: string;
  /** A shell command that shows the outcome; empty if the model names none. */
  readonly command: string;
}

interface Around {
  /** The day on which the predictions are drafted: their dates must be later. */
  readonly today: string;
  /** The recommendation of the synthesis, in a sentence or two; empty if the synthesis recommends nothing. */
  readonly recommendation: string;
  /**
   * The instructions of the form, one clause for each field: a value that only repeats a clause is refused.
   */
  readonly form: readonly string[];
  /** The edition of the checks, as recorded by the run. */
  readonly edition: number;
}

/** The most days that the date of a prediction may lie ahead. */
export const FURTHEST_DAYS = 365;
const MOST_SENTENCE = 240;
const MOST_LOOK = 240;
const MOST_COMMAND = 400;

type Checked = Omit<Prediction, 'id'>;

/** The accepted drafts of predictions, and the refused drafts with the reasons. */
export interface CheckedDrafts {
  readonly good: readonly Checked[];
  readonly refused: readonly RefusedDraft[];
}

/**
 * Checks drafts of predictions in order, until `most` predictions are accepted.
 *
 * @param around the synthesis and the day that the drafts are checked against
 * @param known predictions that were accepted earlier; a draft that repeats any of them is refused
 * @param most the largest number of accepted predictions, `known` included; further drafts are
 * ignored
 */
export function checkDrafts(
  drafts: readonly Draft[],
  around: Around,
  known: readonly Checked[],
  most: number,
): CheckedDrafts {
  const good: Checked[] = [];
  const refused: RefusedDraft[] = [];
  for (const draft of drafts) {
    if (known.length + good.length >= most) break;
    const read = readDraft(draft, around.edition);
    const why = findFault(read, around) ?? findRepetition(read, [...known, ...good]);
    if (why === undefined) good.push(read);
    else refused.push({ text: read.sentence.slice(0, MOST_SENTENCE), why });
  }
  return { good, refused };
}

/**
 * Returns a draft with every field on one clean line. An unknown condition is read as `recommended`; a
 * missing command is left out.
 */
function readDraft(draft: Draft, edition: number): Checked {
  const command = toLine(draft.command);
  const isEmpty =
    command === '' ||
    isPlaceholder(command) ||
    NO_COMMAND.test(command) ||
    (edition >= 2 && SHOWS_NOTHING.test(command));
  const condition = CONDITIONS.find((candidate) => candidate === draft.if.trim().toLowerCase());
  return {
    sentence: toLine(draft.sentence),
    date: draft.date.trim(),
    look: toLine(draft.look),
    if: condition ?? 'recommended',
    ...(isEmpty ? {} : { command }),
  };
}

const NO_COMMAND = /^(?:none|n\/?a|no(?:ne| command)?|null|undefined)\.?$/i;
/** Commands with a fixed output, which cannot show an outcome: `true`, `exit 0`, `echo yes`. */
const SHOWS_NOTHING = /^(?::|true|false|exit(?: \d+)?|echo\b[^|;&$`<>]*)$/;

/** Returns why a draft is refused, without regard to other drafts, or undefined if the draft passes. */
function findFault(
  draft: Checked,
  { today, recommendation, form, edition }: Around,
): string | undefined {
  const { sentence, date, look, command = '' } = draft;
  if (repeatsForm(sentence, form)) return 'its sentence repeats the form';
  if ([...sentence].length > MOST_SENTENCE)
    return `its sentence is longer than ${MOST_SENTENCE} characters`;
  if (sentence.includes('?')) return 'it is a question, not a prediction';
  if (/[.!]\s+\p{Lu}/u.test(sentence)) return 'it has more than one sentence';
  return (
    findDateFault(date, sentence, today) ??
    (edition >= 2 ? findLaterDay(date, sentence) : undefined) ??
    findLookFault(look, command, form) ??
    findPredictionFault(draft, recommendation, edition)
  );
}

function findDateFault(date: string, sentence: string, today: string): string | undefined {
  if (!isDay(date)) return date === '' ? 'it has no date' : `its date "${toLine(date)}" is no day`;
  if (date <= today) return `its date ${date} is not after today, ${today}`;
  const last = addDays(today, FURTHEST_DAYS);
  if (date > last) return `its date ${date} is more than a year away, after ${last}`;
  const other = (sentence.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []).find((day) => day !== date);
  return other === undefined ? undefined : `its sentence says ${other} and its date ${date}`;
}

/** Returns why a sentence that names a later day than its date in words is refused: `on 3 May`. */
function findLaterDay(date: string, sentence: string): string | undefined {
  const named = daysInWords(sentence, date.slice(0, 4)).find(({ day }) => day > date);
  return named === undefined ? undefined : `its sentence says ${named.words} and its date ${date}`;
}

/** Subjects too general to be opened, read or counted, such as `the team` or `overall results`. */
const NOTHING_TO_OPEN =
  /^(?:in |at |on )?(?:the |our |all |any |your )?(?:overall |general |current )?(?:team|teams|everyone|everybody|people|users?|customers?|company|organi[sz]ation|results?|outcomes?|situation|data|metrics?|feedback|performance|progress|impressions?|feelings?|opinions?|experience|mood|morale|future|world|market)[.!]*$/i;
const IN_BRACKETS = /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\})$/;
const UNKNOWN =
  /^(?:none|nothing|n\/?a|unknown|unclear|tbd|various|somewhere|anywhere|it depends|not (?:known|applicable|observable))\b/i;

function findLookFault(look: string, command: string, form: readonly string[]): string | undefined {
  const nothing = 'it names nothing that could be looked at';
  if (command.length > MOST_COMMAND) return `its command is longer than ${MOST_COMMAND} characters`;
  if (look === '' || isPlaceholder(look) || IN_BRACKETS.test(look) || UNKNOWN.test(look))
    return nothing;
  if (repeatsForm(look, form)) return 'what is to be looked at repeats the form';
  if (NOTHING_TO_OPEN.test(look)) return `${nothing}: "${look}" is nothing that one can open`;
  return [...look].length > MOST_LOOK
    ? `what is to be looked at is longer than ${MOST_LOOK} characters`
    : undefined;
}

/** Word overlap, from 0 to 1, from which on two predictions count as the same. */
const REPEATED = 0.7;
/** The threshold for two predictions that are answered by looking at the same thing. */
const REPEATED_WITH_SAME_LOOK = 0.55;

/**
 * Returns why a draft is refused as a repetition of another prediction, or undefined if it is new. Figures
 * and negations are ignored, because one observation then answers both predictions.
 */
function findRepetition(draft: Checked, others: readonly Checked[]): string | undefined {
  for (const other of others) {
    const isSeenThere = wordOverlap(draft.look, other.look) >= REPEATED;
    const most = isSeenThere ? REPEATED_WITH_SAME_LOOK : REPEATED;
    if (wordOverlap(draft.sentence, other.sentence) >= most)
      return `it repeats "${other.sentence}"`;
  }
  return undefined;
}
