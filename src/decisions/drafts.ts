/**
 * Checks drafts of predictions. A valid prediction names a day, something to look at on that day, and a
 * statement that may turn out true or false. Vague and empty wording is recognized in English only; dates,
 * repetitions and restatements of the recommendation are recognized in every language that separates its
 * words.
 */
import { isPlaceholder, repeatsForm } from '../text/form-words.ts';
import { line } from '../text/line.ts';
import { addDays, isDay } from './dates.ts';
import { CONDITIONS, type Prediction, type Refused } from './facts.ts';

/** A prediction as a model drafts it. */
export interface Draft {
  readonly sentence: string;
  readonly date: string;
  readonly look: string;
  readonly if: string;
  /** A shell command that shows the outcome; empty if the model gives none. */
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
}

/** How many days ahead the date of a prediction may be at most. */
export const FURTHEST_DAYS = 365;
const MOST_SENTENCE = 240;
const MOST_LOOK = 240;
const MOST_COMMAND = 400;

type Checked = Omit<Prediction, 'id'>;

/** The result of a check: the drafts that passed, and the refused ones with a reason each. */
export interface CheckedDrafts {
  readonly good: readonly Checked[];
  readonly refused: readonly Refused[];
}

/**
 * Checks drafts in order, until `most` predictions are accepted.
 *
 * @param known predictions that were accepted earlier: a draft that repeats any of them is refused
 * @param most the largest number of accepted predictions, `known` included; further drafts are ignored
 */
export function checkDrafts(
  drafts: readonly Draft[],
  around: Around,
  known: readonly Checked[],
  most: number,
): CheckedDrafts {
  const good: Checked[] = [];
  const refused: Refused[] = [];
  for (const draft of drafts) {
    if (known.length + good.length >= most) break;
    const read = readDraft(draft);
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
function readDraft(draft: Draft): Checked {
  const command = line(draft.command);
  const condition = CONDITIONS.find((one) => one === draft.if.trim().toLowerCase());
  return {
    sentence: line(draft.sentence),
    date: draft.date.trim(),
    look: line(draft.look),
    if: condition ?? 'recommended',
    ...(command === '' || isPlaceholder(command) || NO_COMMAND.test(command) ? {} : { command }),
  };
}

const NO_COMMAND = /^(?:none|n\/?a|no(?:ne| command)?|null|undefined)\.?$/i;

/** Returns why a draft is refused, without regard to other drafts, or undefined if the draft passes. */
function findFault(draft: Checked, { today, recommendation, form }: Around): string | undefined {
  const { sentence, date, look, command = '' } = draft;
  if (repeatsForm(sentence, form)) return 'its sentence repeats the form';
  if ([...sentence].length > MOST_SENTENCE)
    return `its sentence is longer than ${MOST_SENTENCE} characters`;
  if (sentence.includes('?')) return 'it is a question, not a prediction';
  if (/[.!]\s+\p{Lu}/u.test(sentence)) return 'it has more than one sentence';
  return (
    findDateFault(date, sentence, today) ??
    findLookFault(look, command, form) ??
    findClaimFault(draft, recommendation)
  );
}

function findDateFault(date: string, sentence: string, today: string): string | undefined {
  if (!isDay(date)) return date === '' ? 'it has no date' : `its date "${line(date)}" is no day`;
  if (date <= today) return `its date ${date} is not after today, ${today}`;
  const last = addDays(today, FURTHEST_DAYS);
  if (date > last) return `its date ${date} is more than a year away, after ${last}`;
  const other = (sentence.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []).find((one) => one !== date);
  return other === undefined ? undefined : `its sentence says ${other} and its date ${date}`;
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

/** Wording with which a sentence is true whatever happens. */
const HEDGED = /\b(?:may|might|could|can possibly|possibly|perhaps|maybe)\b/i;
const EITHER_WAY = /\bor not\b|\beither (?:\w+ ){1,4}or\b|\bat some point\b|\bsooner or later\b/i;
/** Words that together say only that the recommendation is followed, and nothing about its effects. */
const DECISION_WORDS =
  /\b(?:recommend(?:ed|ation)|decision|advice|proposal|panel|board|synthesis|course of action)\b/i;
const FOLLOWING_WORDS =
  /\b(?:follow|adopt|accept|implement|approv|endors|decid|chosen|choos|select|taken|made|agree|carried out|acted)/i;
const DECIDED =
  /\bwill have (?:been )?(?:decided|chosen|adopted|agreed|committed|opted|selected)\b/i;
/** Words whose truth is a matter of opinion unless a number says how much. */
const VAGUE_WORDS =
  /\b(?:better|worse|good|bad|success(?:ful(?:ly)?)?|improve[sd]?|improvement|significant(?:ly)?|substantial(?:ly)?|notabl[ey]|noticeabl[ey]|happy|happier|satisfied|effective(?:ly)?|efficient(?:ly)?|smooth(?:ly)?|easier|faster|slower|healthy|robust|stable|positive(?:ly)?|negative(?:ly)?|worth(?:while| it)|appropriate|reasonable|manageable|valuable|beneficial)\b/i;

function findClaimFault(
  { sentence, command }: Checked,
  recommendation: string,
): string | undefined {
  if (EITHER_WAY.test(sentence) || (HEDGED.test(sentence) && !/\bwill\b/i.test(sentence)))
    return 'it is true whatever comes: it says only that something may happen';
  const isAboutDeciding =
    (DECISION_WORDS.test(sentence) &&
      FOLLOWING_WORDS.test(sentence) &&
      !/\d/.test(withoutDates(sentence))) ||
    DECIDED.test(sentence);
  if (isAboutDeciding || restates(sentence, recommendation))
    return 'it is true by definition where the recommendation is followed';
  const figure = /\d/.test(withoutDates(sentence)) || NUMBER_WORDS.test(sentence);
  const [word] = VAGUE_WORDS.exec(sentence) ?? [];
  if (word !== undefined && !figure && command === undefined)
    return `nobody could answer it with yes or no: it says "${word}" without a figure`;
  return undefined;
}

const NUMBER_WORDS =
  /\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|twice|half|every|any|all|first|double)\b/i;

/** Share of a prediction's words that must be in the recommendation for the prediction to restate it. */
const RESTATED = 0.75;
/** Word overlap, from 0 to 1, from which on two predictions count as the same. */
const REPEATED = 0.7;
/** The threshold for two predictions that are answered by looking at the same thing. */
const REPEATED_WITH_SAME_LOOK = 0.55;

/**
 * Returns whether a prediction says no more than the recommendation: at least the share `RESTATED` of its
 * words is in the recommendation, and so are all of its figures.
 */
function restates(sentence: string, recommendation: string): boolean {
  const own = contentWords(sentence);
  const theirs = contentWords(recommendation);
  if (own.size < 2 || theirs.size === 0) return false;
  const shared = [...own].filter((word) => theirs.has(word)).length;
  const figures = [...own].filter((word) => /^\d/.test(word) && !theirs.has(word));
  return figures.length === 0 && shared / own.size >= RESTATED;
}

/**
 * Returns why a draft is refused as a repetition of another prediction, or undefined if it is new. Figures
 * and negations are ignored, because one observation then answers both predictions.
 */
function findRepetition(draft: Checked, others: readonly Checked[]): string | undefined {
  for (const other of others) {
    const isSeenThere = overlap(draft.look, other.look) >= REPEATED;
    const most = isSeenThere ? REPEATED_WITH_SAME_LOOK : REPEATED;
    if (overlap(draft.sentence, other.sentence) >= most) return `it repeats "${other.sentence}"`;
  }
  return undefined;
}

/**
 * Returns the number of words in both texts divided by the number of words in either; figures and negations
 * are ignored.
 */
function overlap(one: string, other: string): number {
  const [left, right] = [contentWords(one, true), contentWords(other, true)];
  const all = new Set([...left, ...right]).size;
  return all === 0 ? 0 : [...left].filter((word) => right.has(word)).length / all;
}

/** English function words, which are ignored when texts are compared. */
const FUNCTION_WORDS = new Set(
  'a an and are as at be been by do does for from had has have if in into is it its of off on or our out over shall should so than that the their then there these they this to up us was we were will with within would'.split(
    ' ',
  ),
);
/** Negations, comparatives and number words: predictions that differ only in these count as the same. */
const DENIAL = new Set(
  'no not never none without least most more less fewer over under above below one two three four five six seven eight nine ten twice half'.split(
    ' ',
  ),
);
/** How many leading letters of a word are compared, so that `split` and `splitting` match. */
const STEM = 5;

/**
 * Returns the distinct word stems of a text without dates and function words, and with `bare` also without
 * figures and negations.
 */
function contentWords(text: string, bare = false): Set<string> {
  const words =
    withoutDates(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter(
        (word) => !FUNCTION_WORDS.has(word) && !(bare && (DENIAL.has(word) || /^\d/.test(word))),
      )
      .map((word) => (/^\d/.test(word) ? word : stemOf(word))),
  );
}

/** Returns the leading letters of a word that are compared, without the ending of a plural. */
function stemOf(word: string): string {
  const single =
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return [...single].slice(0, STEM).join('');
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATES = new RegExp(
  `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\\b(?:,? \\d{4})?|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4})?|\\b${MONTH},? \\d{4}\\b`,
  'gi',
);

function withoutDates(text: string): string {
  return text.replace(DATES, ' ');
}
