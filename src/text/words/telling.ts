/**
 * Separates words that carry meaning from common words, such as "the" and "that", which would distort a
 * comparison of sentences.
 */
import { plainWords } from './quotation.ts';

/**
 * Articles, pronouns, prepositions and auxiliary verbs. Negations are not included, as they reverse a
 * sentence.
 */
const COMMON: ReadonlySet<string> = new Set(
  [
    'a about across after again all along also although always am among an and another any anybody anyone',
    'anything are around as at away back be became because become been before being below between both but',
    'by can come could did do does doing done down during each either else even ever every exist exists few',
    'for from further get gets give given go goes going gone got had has have having he her here hers him his',
    'how however i if in inside into is it its itself just keep let like made make makes making many may me',
    'might mine more most much must my now of off on once one only onto or other others our ours out over own',
    'per put rather s same say says she should since so some somebody someone something soon still such take',
    'taken takes than that the their theirs them themselves then there therefore these they thing things this',
    'those though through thus till to together too toward towards under until up upon us use used uses using',
    'very was way we well went were what whatever when where whether which while who whoever whole whom whose',
    'why will with within would yet you your yours',
  ]
    .join(' ')
    .split(' '),
);

/** Returns whether a word, in lower case, is so common that it carries no meaning. */
export function isCommon(word: string): boolean {
  return COMMON.has(word);
}

/**
 * Returns the different words of a text that carry meaning (common words such as "the" do not), in
 * order. If none does, returns all words.
 */
export function findMeaningfulWords(text: string): string[] {
  const words = [...new Set(plainWords(text))];
  const telling = words.filter((word) => !isCommon(word));
  return telling.length > 0 ? telling : words;
}

/** Returns a rough stem of an English word, without its ending: `order` for "orders" and "ordered". */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ings?|ies|ied|es|ed|s|y|e)$/u, '');
  return stem.length < LEAST_STEM ? word : stem;
}

const LEAST_STEM = 3;

/** Words that turn a sentence into its opposite. */
const DENIES =
  /^(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|without|cannot|except|unless|t)$/;

const NUMBERS: ReadonlySet<string> = new Set(
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half double twice'.split(
    ' ',
  ),
);

/** Returns the numbers in a text in order, also those written as English words. */
export function findNumbers(text: string): string[] {
  return plainWords(text).filter((word) => /^\d/.test(word) || NUMBERS.has(word));
}

/** Returns whether a text contains an English negation, such as "not", "without" or "don't". */
export function hasNegation(text: string): boolean {
  return plainWords(text).some((word) => DENIES.test(word));
}
