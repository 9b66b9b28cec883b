/**
 * Finds figures in prose that have no source: not in the question, not in the record, and not computed by code.
 * Models round, count and average while writing, and readers trust numbers.
 */
import { readNumbers, type WrittenNumber } from './numbers.ts';

/** The texts and numbers that a text may take its figures from. */
export interface Sources {
  /** The question, and other texts on record. */
  readonly texts: readonly string[];
  /** Numbers that the program has computed. A text may round them, and write 0.27 as 27 %. */
  readonly figures: readonly number[];
}

/** The fewest digits of a rounded figure; with fewer, almost any number would match. */
const LEAST_DIGITS = 2;

/** The most blanks before a list mark that are looked at; deeper indentation is code. */
const MOST_INDENT = 12;

/**
 * Returns the numbers of a text that occur in none of the sources, in the order of the text. A number of two
 * or more digits also counts as given if it is one of the computed `figures`, rounded. Numbers that are part
 * of a name (`v16`, `A-3`) or that only number a list are ignored. Both ends of a range such as `3-5` are read.
 */
export function findInventedFigures(text: string, { texts, figures }: Sources): WrittenNumber[] {
  const known = new Set<number>();
  for (const number of texts.flatMap(readNumbers)) {
    known.add(Math.abs(number.value));
    if (number.percent) known.add(toShare(number.value));
  }
  const finite = figures.filter((value) => Number.isFinite(value)).map(Math.abs);
  const isGiven = (value: number, written: string): boolean =>
    known.has(value) || finite.some((figure) => isRounded(figure, value, written));
  return readNumbers(text).filter(
    (number) =>
      (!number.named || number.endsRange) &&
      !isListMark(text, number) &&
      !isGiven(Math.abs(number.value), number.written) &&
      !(number.percent && (known.has(toShare(number.value)) || isShareOf(finite, number))),
  );
}

/**
 * Returns whether a percentage is one of the figures: 27 % for 0.27, or for a more exact value that rounds to
 * it.
 */
function isShareOf(figures: readonly number[], { value, written }: WrittenNumber): boolean {
  return figures.some((figure) => isRounded(figure * 100, Math.abs(value), written));
}

/** Returns whether the written number is the figure, rounded to the written digits. */
function isRounded(figure: number, value: number, written: string): boolean {
  if (Math.abs(figure - value) <= 1e-9 * Math.max(1, figure)) return true;
  const digits = written.replace(/\D/g, '').replace(/^0+/, '');
  if (digits.length < LEAST_DIGITS || /[^\d.,]/.test(written)) return false;
  const places = /\.(\d+)$/.exec(written)?.[1]?.length ?? 0;
  return Math.abs(figure - value) <= 0.5 * 10 ** -places + 1e-9;
}

function toShare(value: number): number {
  return Number((Math.abs(value) / 100).toPrecision(14));
}

/** Returns whether the number only numbers a list: `1.` or `2)` at the beginning of a line. */
function isListMark(text: string, { start, end }: WrittenNumber): boolean {
  const before = text.slice(Math.max(0, start - MOST_INDENT), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const begins = line.length < before.length || start < MOST_INDENT;
  return begins && line.trim() === '' && /^[.)]\s/.test(text.slice(end, end + 2));
}
