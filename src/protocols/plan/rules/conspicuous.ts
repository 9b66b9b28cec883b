/**
 * Finds what would make a written control stand out among the statements of its seat. From edition 5 of the
 * rules on, several controls are written, each like one statement of the seat, and code takes the one whose
 * length is closest.
 */
import { plainWords } from '../../../text/words/quotation.ts';
import { type Edition, LATEST } from '../config.ts';
import type { Statement } from './statements.ts';
import {
  type ControlInstructions,
  isUnspaced,
  measureLength,
  type WrittenControl,
} from './written-control.ts';

/** The factor by which a reason may be shorter or longer than the shortest and the longest of its seat. */
const GROUND_SLACK = 1.5;
/** The largest share of a control's different words that may come from the statement it contradicts. */
const MAX_SHARED = 0.5;
/**
 * Words of at least this many letters show what a statement is about. Only their first letters are
 * compared.
 */
const LONG_WORD = 5;
/** How many long words of a control have to occur in what its seat said or was shown, or in the topic. */
const MIN_OWN_WORDS = 2;

/** Words that people use when they invent a contradiction, or answer another statement. */
const TELLING =
  /\b(?:never|forever|under no circumstances|whatsoever|absolutely|instead|contrary to|as opposed to|rather than|unlike|niemals|keinesfalls|auf keinen Fall|unter keinen Umständen|stattdessen|im Gegensatz)\b/iu;

/** Words that answer the other seats as a whole, from edition 6 of the rules on. */
const ANSWERING =
  /\b(?:not even|no matter what|whatever (?:the )?others|(?:the )?others (?:say|said|want|think))\b/iu;

/**
 * Returns why a reader could tell a control (a planted statement) from the
 * real statements of its seat. The reason is worded for the model that wrote the control. Returns
 * undefined if the control does not stand out.
 * @param domain the documents that the seat was shown, and the topic
 */
export function whyConspicuous(
  { of, text, because }: WrittenControl,
  { own, candidates }: ControlInstructions,
  domain: readonly string[],
  edition: Edition = LATEST.prompts,
): string | undefined {
  const said = own.map(wordsOf);
  const words = `${text} ${because}`;
  const found = TELLING.exec(words) ?? (edition < 6 ? null : ANSWERING.exec(words));
  const telling = found?.[0].toLowerCase();
  if (telling !== undefined && !said.some((ownText) => ownText.toLowerCase().includes(telling)))
    return `"${telling}" is a word that the seat does not use elsewhere`;
  const grounds = own.flatMap((statement) => statement.because ?? []);
  if (because.trim() !== '' && grounds.length > 0 && !isBetween(because, grounds))
    return 'its ground is longer or shorter than all that the seat gives elsewhere';
  if (wantsFigure(own, edition) && !hasFigure(words))
    return `it has no figure, and ${edition < 6 ? 'most of what' : 'all that'} the seat says has one`;
  const target = candidates.find(({ id }) => id === of)?.text ?? '';
  const targetWords = new Set(plainWords(target));
  const different = [...new Set(plainWords(text))];
  if (different.filter((word) => targetWords.has(word)).length > different.length * MAX_SHARED)
    return `half of its words are those of ${of}`;
  const known = new Set([...said, ...domain].flatMap(stemsOfLongWords));
  const ownWords = new Set(stemsOfLongWords(words).filter((word) => known.has(word)));
  if (!isUnspaced(different) && known.size > 0 && ownWords.size < MIN_OWN_WORDS)
    return 'it speaks of nothing that the seat speaks of elsewhere or was shown';
  return undefined;
}

/**
 * Returns whether a control (a planted statement) has to contain a figure in digits so as not to stand out among
 * `own`, the other statements of its seat. From edition 6 of the rules on, that is so if each of them contains a
 * figure; before edition 6, if more than half of them do.
 */
export function wantsFigure(own: readonly Statement[], edition: Edition): boolean {
  const figures = own.map(wordsOf).filter(hasFigure).length;
  return edition < 6 ? figures * 2 > own.length : figures > 0 && figures === own.length;
}

function wordsOf({ text, because }: Statement): string {
  return `${text} ${because ?? ''}`;
}

/**
 * Returns the control (a statement to be planted) whose text and reason are closest in length to
 * the statement it should resemble. Undefined if there are no controls.
 */
export function closestTo<Control extends WrittenControl>(
  like: Pick<Statement, 'text' | 'because'>,
  controls: readonly Control[],
): Control | undefined {
  const measureDistance = (control: Control): number =>
    Math.abs(measureLength(control.text) - measureLength(like.text)) +
    Math.abs(measureLength(control.because) - measureLength(like.because ?? ''));
  return [...controls].sort((one, other) => measureDistance(one) - measureDistance(other))[0];
}

function isBetween(text: string, others: readonly string[]): boolean {
  const sizes = others.map(measureLength);
  const size = measureLength(text);
  return size * GROUND_SLACK >= Math.min(...sizes) && size <= Math.max(...sizes) * GROUND_SLACK;
}

function hasFigure(text: string): boolean {
  return /\d/u.test(text);
}

/**
 * Returns the first five letters of each word that has at least five, for comparing words: endings differ by case,
 * number and tense.
 */
export function stemsOfLongWords(text: string): string[] {
  return plainWords(text)
    .map((word) => [...word].slice(0, LONG_WORD))
    .filter((letters) => letters.length === LONG_WORD)
    .map((letters) => letters.join(''));
}
