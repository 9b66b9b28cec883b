/**
 * Finds the figures of a claim that the reader's quotations lack. A quotation that says "40,000"
 * does not confirm a claim that says "90,000".
 */
import { readNumbers, type WrittenNumber } from '../../../figures/numbers.ts';
import { findInventedFigures } from '../../../figures/prose.ts';
import { removeCitations } from '../claims/judge.ts';
import { type Document, readQuotedLines } from '../records/documents.ts';
import type { Quotation } from '../records/types.ts';

/** Matches a number whose thousands are separated by a space, an apostrophe or a full stop. */
const GROUPED =
  /(?<![\p{Nd}.,])\p{Nd}{1,3}([ \u00a0\u2009\u202f'’.])\p{Nd}{3}(?:\1\p{Nd}{3})*(?!\p{Nd}|[.,]\p{Nd})/gu;
/** Matches a date or a version, such as 03.05.2027, 3/5/2027 or 1.2.3. */
const DATED = /(?<!\p{Nd})\p{Nd}{1,4}([./])\p{Nd}{1,2}\1\p{Nd}{1,4}(?!\p{Nd})/gu;
/** Matches what is short for a million or a billion behind a number: 1.2M, 1.2 Mio., 3bn. */
const MILLION = /(?<=\p{Nd}) ?(?:M|Mio|mn)(?!\p{L})/gu;
const BILLION = /(?<=\p{Nd}) ?(?:bn|Mrd)(?!\p{L})/gu;
/** Matches the end of a text after which a number only names something: "step ", "sections 5 and ". */
const NAMING =
  /\b(?:section|chapter|part|step|phase|stage|page|line|row|item|point|figure|table|round|version|abschnitt|kapitel|teil|schritt|seite|zeile|punkt|tabelle|runde)[sn]?\s+(?:\p{Nd}+,?\s+(?:(?:and|or|to|und|oder|bis)\s+)?)*$/iu;
/** Matches the end of a text after which a number is a bound or approximate: "more than ", "about ". */
const APPROXIMATE =
  /\b(?:(?:more|less|fewer) than|over|under|above|below|at least|at most|up to|about|around|roughly|approximately|nearly|almost|some|(?:mehr|weniger) als|mindestens|höchstens|unter|etwa|rund|fast|knapp)\s+$/iu;
/** How many characters before a number are searched for the words of `NAMING` and `APPROXIMATE`. */
const WORDS_LENGTH = 60;

/** Words for small numbers that `readNumbers` does not read, because they often are no numbers. */
const SMALL_NUMBERS: readonly (readonly [number, RegExp])[] = [
  [0, /\b(?:no|none|nobody|nothing|never|without|kein\p{L}*|nichts|niemand|nie)\b/iu],
  [1, /\b(?:an?|one|once|single|each|every|per|eine?[nmrs]?|einmal|je)\b/iu],
  [2, /\b(?:both|twice|double|pair|couple|beide\p{L}*|zweimal|doppelt\p{L}*)\b/iu],
];

/** The seconds of a minute (or minutes of an hour) and the days of a year, with which readers of a text can convert. */
const CONVERSIONS = [60, 365];
/** The most figures that are multiplied with or divided by each other. */
const MOST_FACTORS = 3;
/** The most figures of the quotations that are used to compute. More would yield any figure. */
const MOST_OPERANDS = 8;
/** Matches a year. */
const YEAR = /^(?:19|20)\p{Nd}{2}$/u;
/**
 * The share by which a computed product may differ from a figure of the claim, because claims round (`ROUNDING`), and
 * the share by which an approximate figure may differ (`NEARNESS`).
 */
const ROUNDING = 0.01;
const NEARNESS = 0.1;

/**
 * Returns why quotations do not confirm a claim: the claim has figures that the quotations lack. Returns undefined
 * if the quotations have all figures of the claim. A quotation also counts as having the figures of the document's
 * lines in which it stands.
 */
export function explainMissingFigures(
  claim: string,
  quotes: readonly Quotation[],
  documents: readonly Document[],
): string | undefined {
  const texts = quotes.map(({ text }) => text);
  const lines = texts.map((text) => readQuotedLines(text, documents));
  const missing = findMissingFigures(claim, texts, lines);
  if (missing.length === 0) return undefined;
  const figures = missing.map((figure) => `"${figure}"`).join(' or ');
  return quotes.length === 1
    ? `the quotation does not contain ${figures}`
    : `the quotations do not contain ${figures}`;
}

/** Returns whether a recorded reason says that the quotations lack a figure; see `explainMissingFigures`. */
export function isMissingFiguresReason(why: string): boolean {
  return /^the quotations? do(?:es)? not contain "/.test(why);
}

/**
 * Returns the figures of a claim that neither stand in the quotations or their lines nor can be
 * computed from the quotations. Only figures in digits are looked up. In the texts they may be
 * written otherwise, such as 40 000, 40k or forty thousand for 40,000. Figures that belong to a name
 * or a citation, or that number a section, are left out.
 */
export function findMissingFigures(
  claim: string,
  quotations: readonly string[],
  lines: readonly string[] = [],
): string[] {
  const texts = [...quotations, ...lines];
  const known = texts.flatMap(listSpellings);
  const small = SMALL_NUMBERS.flatMap(([value, words]) =>
    texts.some((text) => words.test(text)) ? [value] : [],
  );
  const operands = listOperands(claim, quotations);
  const plain = rewriteNumbers(removeCitations(claim));
  return findInventedFigures(plain, { texts: known, figures: operands })
    .filter((figure) => {
      const before = plain.slice(Math.max(0, figure.start - WORDS_LENGTH), figure.start);
      return (
        hasDigits(figure) &&
        // Leave out figures in names. Also leave out the 5 in "3-5 weeks", because no edition of the rules looked up
        // the second figure of such a range.
        !figure.named &&
        !NAMING.test(before) &&
        (figure.percent || !small.includes(figure.value)) &&
        !(APPROXIMATE.test(before) && isNear(figure, operands)) &&
        !isComputable(figure, operands)
      );
    })
    .map(({ written }) => written);
}

function hasDigits({ written }: WrittenNumber): boolean {
  return /\p{Nd}/u.test(written);
}

/** Returns a text as it is, and with its numbers as `readNumbers` reads them. */
function listSpellings(text: string): string[] {
  return [text, rewriteNumbers(text)];
}

/** Rewrites numbers, dates and abbreviations that `readNumbers` would read wrongly. */
function rewriteNumbers(text: string): string {
  return text
    .replace(DATED, (date) => date.replace(/[./]/g, '-'))
    .replace(GROUPED, (number) => number.replace(/\P{Nd}/gu, ','))
    .replace(MILLION, ' million')
    .replace(BILLION, ' billion');
}

/**
 * Returns the figures from which those of a claim can be computed: the figures of the quotations,
 * and those in words of the claim itself, such as "twelve" of "twelve workers".
 */
function listOperands(claim: string, quotations: readonly string[]): number[] {
  const numbers = [
    ...quotations.flatMap(listSpellings).flatMap(readNumbers),
    ...readNumbers(claim).filter((number) => !hasDigits(number)),
  ];
  const values = numbers
    .filter(({ named }) => !named)
    .flatMap(({ value, percent }) => (percent ? [value, value / 100] : [value]));
  return [...new Set(values.map(Math.abs))].slice(0, MOST_OPERANDS);
}

/** Returns whether a figure is about the same as an operand, or as an operand converted to another unit of time. */
function isNear({ value }: WrittenNumber, operands: readonly number[]): boolean {
  const figure = Math.abs(value);
  return operands
    .flatMap((operand) => [operand, ...multiply(CONVERSIONS, 1, operand)])
    .some((other) => Math.abs(other - figure) <= NEARNESS * figure);
}

/**
 * Returns whether a figure is a sum, a difference, a product or a quotient of other figures. A
 * product may be rounded. A year is not computed.
 */
function isComputable({ value, written }: WrittenNumber, operands: readonly number[]): boolean {
  if (YEAR.test(written)) return false;
  const figure = Math.abs(value);
  const isSum = operands.some((left, at) =>
    operands
      .slice(at + 1)
      .some((right) => left + right === figure || Math.abs(left - right) === figure),
  );
  return (
    isSum ||
    [...operands.entries()].some(([at, operand]) =>
      multiply([...operands.slice(at + 1), ...CONVERSIONS], MOST_FACTORS - 1, operand)
        .flatMap((product) => [product, 1 / product])
        .some((product) => Math.abs(product - figure) <= ROUNDING * figure),
    )
  );
}

/** Returns all products and quotients of a start and up to `most` of the factors, each used once. */
function multiply(factors: readonly number[], most: number, start: number): number[] {
  if (most === 0) return [];
  return factors.flatMap((factor, at) =>
    [start * factor, start / factor].flatMap((value) => [
      value,
      ...multiply(factors.slice(at + 1), most - 1, value),
    ]),
  );
}
