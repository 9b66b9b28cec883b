/**
 * Which drafts of predictions can stand. Code decides: a prediction has to name a day, something to look
 * at on that day, and something that may turn out either way. The words it knows are English; dates,
 * repetition and what follows from the recommendation are told in any language that parts its words.
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
  /** Empty where there is none. */
  readonly command: string;
}

interface Around {
  /** The day on which they are drafted: predictions are about later ones. */
  readonly today: string;
  /** What the synthesis recommends, in a sentence or two; empty where it recommends nothing. */
  readonly recommendation: string;
  /** What the form asks of each field, a clause each: a value that repeats it says nothing. */
  readonly form: readonly string[];
}

/** How far ahead a prediction may lie, in days. */
export const FURTHEST_DAYS = 365;
const MOST_SENTENCE = 240;
const MOST_LOOK = 240;
const MOST_COMMAND = 400;

type Checked = Omit<Prediction, 'id'>;

/** Drafts apart: those that can stand, and the others with the reason of each. */
export interface CheckedDrafts {
  readonly good: readonly Checked[];
  readonly refused: readonly Refused[];
}

/**
 * Checks drafts one after the other.
 *
 * @param known predictions that stand already: none of the drafts may repeat one of them
 * @param most how many may stand in all; further ones are passed over
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
    const why = whyNot(read, around) ?? repeats(read, [...known, ...good]);
    if (why === undefined) good.push(read);
    else refused.push({ text: read.sentence.slice(0, MOST_SENTENCE), why });
  }
  return { good, refused };
}

/** The draft in one clean line a field. A condition that is none means the recommended course. */
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

/** Why a draft cannot stand by itself; undefined where it can. */
function whyNot(draft: Checked, { today, recommendation, form }: Around): string | undefined {
  const { sentence, date, look, command = '' } = draft;
  if (repeatsForm(sentence, form)) return 'its sentence repeats the form';
  if ([...sentence].length > MOST_SENTENCE)
    return `its sentence is longer than ${MOST_SENTENCE} characters`;
  if (sentence.includes('?')) return 'it is a question, not a prediction';
  if (/[.!]\s+\p{Lu}/u.test(sentence)) return 'it has more than one sentence';
  return (
    wrongDate(date, sentence, today) ??
    wrongLook(look, command, form) ??
    emptyClaim(draft, recommendation)
  );
}

function wrongDate(date: string, sentence: string, today: string): string | undefined {
  if (!isDay(date)) return date === '' ? 'it has no date' : `its date "${line(date)}" is no day`;
  if (date <= today) return `its date ${date} is not after today, ${today}`;
  const last = addDays(today, FURTHEST_DAYS);
  if (date > last) return `its date ${date} is more than a year away, after ${last}`;
  const other = (sentence.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []).find((one) => one !== date);
  return other === undefined ? undefined : `its sentence says ${other} and its date ${date}`;
}

/** Things that nobody can open, read or count. */
const NOTHING_TO_OPEN =
  /^(?:in |at |on )?(?:the |our |all |any |your )?(?:overall |general |current )?(?:team|teams|everyone|everybody|people|users?|customers?|company|organi[sz]ation|results?|outcomes?|situation|data|metrics?|feedback|performance|progress|impressions?|feelings?|opinions?|experience|mood|morale|future|world|market)[.!]*$/i;
const IN_BRACKETS = /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\})$/;
const UNKNOWN =
  /^(?:none|nothing|n\/?a|unknown|unclear|tbd|various|somewhere|anywhere|it depends|not (?:known|applicable|observable))\b/i;

function wrongLook(look: string, command: string, form: readonly string[]): string | undefined {
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

/** True whatever comes: nothing is said that could turn out false. */
const HEDGED = /\b(?:may|might|could|can possibly|possibly|perhaps|maybe)\b/i;
const WHATEVER = /\bor not\b|\beither (?:\w+ ){1,4}or\b|\bat some point\b|\bsooner or later\b/i;
/** Says that the recommendation is followed, and nothing of what comes of that. */
const OF_THE_DECISION =
  /\b(?:recommend(?:ed|ation)|decision|advice|proposal|panel|board|synthesis|course of action)\b/i;
const FOLLOWED =
  /\b(?:follow|adopt|accept|implement|approv|endors|decid|chosen|choos|select|taken|made|agree|carried out|acted)/i;
const DECIDED =
  /\bwill have (?:been )?(?:decided|chosen|adopted|agreed|committed|opted|selected)\b/i;
/** Words that are a matter of taste unless a figure says how much. */
const TASTE =
  /\b(?:better|worse|good|bad|success(?:ful(?:ly)?)?|improve[sd]?|improvement|significant(?:ly)?|substantial(?:ly)?|notabl[ey]|noticeabl[ey]|happy|happier|satisfied|effective(?:ly)?|efficient(?:ly)?|smooth(?:ly)?|easier|faster|slower|healthy|robust|stable|positive(?:ly)?|negative(?:ly)?|worth(?:while| it)|appropriate|reasonable|manageable|valuable|beneficial)\b/i;

function emptyClaim({ sentence, command }: Checked, recommendation: string): string | undefined {
  if (WHATEVER.test(sentence) || (HEDGED.test(sentence) && !/\bwill\b/i.test(sentence)))
    return 'it is true whatever comes: it says only that something may happen';
  const isAboutDeciding =
    (OF_THE_DECISION.test(sentence) &&
      FOLLOWED.test(sentence) &&
      !/\d/.test(withoutDates(sentence))) ||
    DECIDED.test(sentence);
  if (isAboutDeciding || restates(sentence, recommendation))
    return 'it is true by definition where the recommendation is followed';
  const figure = /\d/.test(withoutDates(sentence)) || NUMBER_WORDS.test(sentence);
  const [word] = TASTE.exec(sentence) ?? [];
  if (word !== undefined && !figure && command === undefined)
    return `nobody could answer it with yes or no: it says "${word}" without a figure`;
  return undefined;
}

const NUMBER_WORDS =
  /\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|twice|half|every|any|all|first|double)\b/i;

/** A share of a prediction's words from which on it says what the recommendation says. */
const RESTATED = 0.75;
/** The same share from which on two predictions are one. */
const REPEATED = 0.7;
/** And where both are answered by looking at the same thing. */
const REPEATED_WHERE_SEEN = 0.55;

/** Whether a prediction says no more than the recommendation: almost all of its words are from there. */
function restates(sentence: string, recommendation: string): boolean {
  const own = contentWords(sentence);
  const theirs = contentWords(recommendation);
  if (own.size < 2 || theirs.size === 0) return false;
  const shared = [...own].filter((word) => theirs.has(word)).length;
  const figures = [...own].filter((word) => /^\d/.test(word) && !theirs.has(word));
  return figures.length === 0 && shared / own.size >= RESTATED;
}

/** Other figures or a denial make no other prediction: who answers one has answered both. */
function repeats(draft: Checked, others: readonly Checked[]): string | undefined {
  for (const other of others) {
    const isSeenThere = overlap(draft.look, other.look) >= REPEATED;
    const most = isSeenThere ? REPEATED_WHERE_SEEN : REPEATED;
    if (overlap(draft.sentence, other.sentence) >= most) return `it repeats "${other.sentence}"`;
  }
  return undefined;
}

/** The share of the words of both that both have, figures and denials left out. */
function overlap(one: string, other: string): number {
  const [left, right] = [contentWords(one, true), contentWords(other, true)];
  const all = new Set([...left, ...right]).size;
  return all === 0 ? 0 : [...left].filter((word) => right.has(word)).length / all;
}

/** Words that say nothing by themselves. */
const IDLE = new Set(
  'a an and are as at be been by do does for from had has have if in into is it its of off on or our out over shall should so than that the their then there these they this to up us was we were will with within would'.split(
    ' ',
  ),
);
/** Denials, comparisons and numbers in words: other ones make no other prediction. */
const DENIAL = new Set(
  'no not never none without least most more less fewer over under above below one two three four five six seven eight nine ten twice half'.split(
    ' ',
  ),
);
/** So many letters tell a word from another: `split` and `splitting` are one. */
const STEM = 5;

/** `bare`: without figures and denials. */
function contentWords(text: string, bare = false): Set<string> {
  const words =
    withoutDates(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => !IDLE.has(word) && !(bare && (DENIAL.has(word) || /^\d/.test(word))))
      .map((word) => (/^\d/.test(word) ? word : stemOf(word))),
  );
}

/** The beginning of a word, without the ending of a plural. */
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
