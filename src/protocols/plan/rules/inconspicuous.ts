/**
 * Measures a written control against what its seat says, from edition 7 of the rules on: how long, how sure
 * and how exact it is, whether it speaks of what nobody else speaks of, and how many words it borrows from
 * the statement that it contradicts. Readers who were told that a statement had been planted found controls
 * by such differences.
 */

import { plainWords } from '../../../text/words/quotation.ts';
import { stemsOfLongWords } from './conspicuous.ts';
import type { Statement } from './statements.ts';
import {
  type ControlInstructions,
  isUnspaced,
  measureLength,
  type WrittenControl,
} from './written-control.ts';

/** With fewer statements, a seat's shortest and longest say little about its style. */
const FEW = 3;
/** The factor by which a control may be shorter or longer than all that a seat with few statements says. */
const SLACK = 1.4;
/** The most long words that a control may share with its target alone. */
const MAX_BORROWED = 2;

/** A control of which at least this share of neighboring words is known is never taken for a heap of words. */
const ENOUGH_KNOWN_PAIRS = 0.1;

/** Words that leave no exception. */
const ABSOLUTE =
  /\b(?:all|alone|always|any|anybody|anything|at all|each|entirely|every|everybody|everything|exactly|never|no|nobody|none|nothing|nowhere|only|whole|alle[nrs]?|ausschließlich|immer|jede[mnrs]?|kein(?:e[mnrs]?)?|nie|niemand|nichts|nur)\b/giu;
/** Words that set a sentence against another one. */
const CONTRASTING =
  /\b(?:although|anyway|but|despite|even|however|instead|nevertheless|otherwise|rather|regardless|still|though|whereas|yet|aber|dennoch|doch|jedoch|obwohl|sondern|sonst|trotz|trotzdem)\b/iu;
/**
 * Clauses that are only there to make two statements collide. Readers who had been told that a statement was
 * planted named them as their reason.
 */
const TUCKED_IN =
  /\b(?:alike|among (?:it|them)|(?:and|with|for) nothing else|and nothing about|and (?:with |for )?no other|anywhere|by itself|auf keine andere|und sonst nichts|und nichts anderes)\b/iu;
/** Words about the search for contradictions, which no seat speaks of unless the topic does. */
const ABOUT_THE_TEST =
  /\b(?:contradict(?:s|ed|ions?)?|conflicts?|controls?|planted|statements?|widerspr[uü]ch\p{L}*|aussagen?)\b/iu;
/** Tags, and the words of the form in which a control is asked for. */
const FORM = /<\/?[\p{L}][^>]*>|\b(?:of|text|because|title|controls) *: /iu;
const FIGURES = /\d+(?:[.,]\d+)*/gu;

/** The usual length of a seat's statements and reasons, in words, and how many numbers they contain. */
interface Measures {
  readonly text: readonly [least: number, most: number];
  /** Undefined if no statement of the seat has a reason. */
  readonly because: readonly [least: number, most: number] | undefined;
  /** The most figures in a statement with its reason. */
  readonly figures: number;
}

/**
 * Returns the shortest and the longest usual length of a seat's statements and of their reasons, and how many
 * figures (numbers in digits) a statement contains at most. `own` is not empty.
 */
export function measureStatements(own: readonly Statement[]): Measures {
  const grounds = own.flatMap(({ because = '' }) => (because.trim() === '' ? [] : [because]));
  return {
    text: rangeOf(own.map(({ text }) => text)),
    because: grounds.length === 0 ? undefined : rangeOf(grounds),
    figures: Math.max(...own.map((statement) => countMatches(FIGURES, wordsOf(statement)))),
  };
}

function rangeOf(texts: readonly string[]): [least: number, most: number] {
  const sizes = texts.map(measureLength);
  const slack = texts.length < FEW ? SLACK : 1;
  return [Math.ceil(Math.min(...sizes) / slack), Math.floor(Math.max(...sizes) * slack)];
}

/**
 * Returns the first trait that gives a control (a planted statement) away to a reader, in words for the model that
 * wrote it: `it has more figures than anything that the seat says`. Returns undefined if code finds no such trait.
 * @param domain the topic, and the documents that the seat was shown
 * @param statements all statements that are not withdrawn
 */
export function describeGiveaway(
  control: WrittenControl,
  { own, candidates }: Pick<ControlInstructions, 'own' | 'candidates'>,
  [topic = '', ...documents]: readonly string[],
  statements: readonly Statement[],
): string | undefined {
  const { text, because } = control;
  const said = wordsOf(control);
  const form = FORM.exec(said)?.[0];
  if (form !== undefined && !statements.some((statement) => wordsOf(statement).includes(form)))
    return 'it has tags, or words of the form in which it was asked for';
  const test = ABOUT_THE_TEST.exec(said)?.[0].toLowerCase();
  if (
    test !== undefined &&
    ![topic, ...statements.map(wordsOf)].some((text) => hasWord(text, test))
  )
    return `"${test}" speaks of the search for contradictions`;
  const { text: texts, because: grounds, figures } = measureStatements(own);
  if (!isWithin(text, texts))
    return `its text has ${measureLength(text)} words, and ${tellRange(texts)} are usual`;
  if (because.trim() !== '' && grounds !== undefined && !isWithin(because, grounds))
    return `its ground has ${measureLength(because)} words, and ${tellRange(grounds)} are usual`;
  if (countMatches(FIGURES, said) > figures)
    return `it has more figures than anything that the seat says: ${figures} at most`;
  const absolute = Math.max(...own.map((statement) => countMatches(ABSOLUTE, wordsOf(statement))));
  if (countMatches(ABSOLUTE, said) > absolute)
    return `it is surer of itself than what the seat says elsewhere (${said.match(ABSOLUTE)?.join(', ')})`;
  const contrast = CONTRASTING.exec(said)?.[0].toLowerCase();
  if (
    contrast !== undefined &&
    !statements.some((statement) => hasWord(wordsOf(statement), contrast))
  )
    return `"${contrast}" sets it against another statement, and nobody else writes so`;
  const tucked = TUCKED_IN.exec(text)?.[0].toLowerCase();
  if (
    tucked !== undefined &&
    !own.some((statement) => wordsOf(statement).toLowerCase().includes(tucked))
  )
    return `"${tucked}" is a clause that is only there for the contradiction`;
  if (isUnspaced(plainWords(text))) return undefined;
  const target = candidates.find(({ id }) => id === control.of);
  const others = statements.filter((statement) => statement !== target);
  const leastOwn = Math.min(...own.map((statement) => shareAmong(statement, others, topic)));
  if (knownShare(said, others, topic) < leastOwn)
    return `it speaks of what nobody else speaks of (${unknownStems(said, others, topic).join(', ')})`;
  const borrowed = listBorrowedWords(control, { own, candidates }, [topic, ...documents]);
  return borrowed.length > MAX_BORROWED
    ? `it takes up the words of ${control.of} (${borrowed.join(', ')})`
    : undefined;
}

/**
 * Returns the words that a control (a planted statement) has taken from the statement that it contradicts: both
 * contain them, and the seat in whose name the control speaks neither used them nor was shown them. Only the
 * beginnings of long words are compared and returned.
 */
export function listBorrowedWords(
  control: WrittenControl,
  { own, candidates }: Pick<ControlInstructions, 'own' | 'candidates'>,
  domain: readonly string[],
): string[] {
  const target = candidates.find(({ id }) => id === control.of);
  const targetStems = new Set(stemsOfLongWords(target === undefined ? '' : wordsOf(target)));
  const ownStems = new Set([...own.map(wordsOf), ...domain].flatMap(stemsOfLongWords));
  return [...new Set(stemsOfLongWords(wordsOf(control)))].filter(
    (stem) => targetStems.has(stem) && !ownStems.has(stem),
  );
}

/**
 * Returns why a control (a planted statement) seems to be a heap of words that contradicts nothing. A pair of
 * neighboring words is known if another statement, the topic or a document contains it. The control seems to be a
 * heap if less than a tenth of its pairs are known, and a smaller share than of each statement of its seat.
 * Returns undefined otherwise, even if the sentences make no sense. Used from edition 8 of the rules on.
 * @param domain the topic, and the documents that the seat was shown
 * @param statements all statements that are not withdrawn
 */
export function whyGarbled(
  control: WrittenControl,
  { own }: Pick<ControlInstructions, 'own'>,
  domain: readonly string[],
  statements: readonly Statement[],
): string | undefined {
  const pairsIn = ({ text, because = '' }: Sentences): string[] =>
    [text, because].flatMap(listWordPairs);
  const documents = domain.flatMap(listWordPairs);
  const knownPairs = (sentences: Sentences): number => {
    const known = new Set([
      ...documents,
      ...statements.filter((other) => other !== sentences).flatMap(pairsIn),
    ]);
    const pairs = pairsIn(sentences);
    return pairs.filter((pair) => known.has(pair)).length / Math.max(1, pairs.length);
  };
  const least = Math.min(...own.map(knownPairs), ENOUGH_KNOWN_PAIRS);
  return knownPairs(control) < least
    ? 'its words do not follow each other as they do in sentences of the others'
    : undefined;
}

/** A text with its reason. */
interface Sentences {
  readonly text: string;
  readonly because?: string | undefined;
}

/** Returns all pairs of neighboring words of a text. */
function listWordPairs(text: string): string[] {
  const words = plainWords(text);
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}

/**
 * Sorts statements of other seats by how near they are to the subjects of one seat: by the share of their long
 * words that this seat also uses or was shown, the highest share first. In the name of this seat, a control (a
 * planted statement) contradicts one of the first statements most naturally.
 * @param own the statements of the one seat
 * @param domain the documents that the seat was shown, and the topic
 */
export function sortByNearness(
  statements: readonly Statement[],
  own: readonly Statement[],
  domain: readonly string[],
): Statement[] {
  const ownStems = new Set([...own.map(wordsOf), ...domain].flatMap(stemsOfLongWords));
  const measureShare = (statement: Statement): number => {
    const stems = [...new Set(stemsOfLongWords(wordsOf(statement)))];
    return stems.filter((stem) => ownStems.has(stem)).length / (stems.length || 1);
  };
  return [...statements].sort((one, other) => measureShare(other) - measureShare(one));
}

/** Returns the share of a text's long words that occur in the statements or the topic. */
function knownShare(text: string, statements: readonly Statement[], topic: string): number {
  const { size } = new Set(stemsOfLongWords(text));
  return size === 0 ? 1 : 1 - unknownStems(text, statements, topic).length / size;
}

/** Returns the beginnings of the long words of a text that occur in no statement and not in the topic. */
function unknownStems(text: string, statements: readonly Statement[], topic: string): string[] {
  const known = new Set([...statements.map(wordsOf), topic].flatMap(stemsOfLongWords));
  return [...new Set(stemsOfLongWords(text))].filter((stem) => !known.has(stem));
}

function shareAmong(statement: Statement, statements: readonly Statement[], topic: string): number {
  return knownShare(
    wordsOf(statement),
    statements.filter((other) => other !== statement),
    topic,
  );
}

function isWithin(text: string, [least, most]: readonly [number, number]): boolean {
  const size = measureLength(text);
  return size >= least && size <= most;
}

/** Formats a range, such as `8 to 30`. */
export function tellRange([least, most]: readonly [number, number]): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

function wordsOf({ text, because = '' }: { text: string; because?: string | undefined }): string {
  return `${text} ${because}`;
}

function countMatches(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

function hasWord(text: string, word: string): boolean {
  return plainWords(text).includes(word);
}
