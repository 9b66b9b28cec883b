/**
 * Figures in prose that nobody gave: neither the question nor the record has them, nor a table that code
 * worked out. Models round, count and average as they go, and readers believe numbers.
 */
import { readNumbers, type WrittenNumber } from './numbers.ts';

/** What figures may be taken from. */
export interface Sources {
  /** The question, and what is on record. */
  readonly texts: readonly string[];
  /** Figures that code worked out, as they are or rounded to what is written. */
  readonly figures: readonly number[];
}

/** A rounded figure still has this many digits; with fewer anything is near to something. Ours. */
const LEAST_DIGITS = 2;

/** Blanks before a mark that are looked at; deeper lists are code. */
const MOST_INDENT = 12;

/** The numbers to be marked, in the order of the text. Numbers in names (`v16`, `A-3`) are names. */
export function findInventedFigures(text: string, { texts, figures }: Sources): WrittenNumber[] {
  const known = new Set<number>();
  for (const number of texts.flatMap(readNumbers)) {
    known.add(Math.abs(number.value));
    if (number.percent) known.add(share(number.value));
  }
  const finite = figures.filter((value) => Number.isFinite(value)).map(Math.abs);
  const isGiven = (value: number, written: string): boolean =>
    known.has(value) || finite.some((figure) => isRounded(figure, value, written));
  return readNumbers(text).filter(
    (number) =>
      !number.named &&
      !isListMark(text, number) &&
      !isGiven(Math.abs(number.value), number.written) &&
      !(number.percent && (known.has(share(number.value)) || isShareOf(finite, number))),
  );
}

/** 27 % is a .27, also of one that was worked out to more digits. */
function isShareOf(figures: readonly number[], { value, written }: WrittenNumber): boolean {
  return figures.some((figure) => isRounded(figure * 100, Math.abs(value), written));
}

/** To the last digit, or rounded to as many places as are written. */
function isRounded(figure: number, value: number, written: string): boolean {
  if (Math.abs(figure - value) <= 1e-9 * Math.max(1, figure)) return true;
  const digits = written.replace(/\D/g, '').replace(/^0+/, '');
  if (digits.length < LEAST_DIGITS || /[^\d.,]/.test(written)) return false;
  const places = /\.(\d+)$/.exec(written)?.[1]?.length ?? 0;
  return Math.abs(figure - value) <= 0.5 * 10 ** -places + 1e-9;
}

function share(value: number): number {
  return Number((Math.abs(value) / 100).toPrecision(14));
}

/** `1.` or `2)` at the beginning of a line counts the list and says nothing. */
function isListMark(text: string, { start, end }: WrittenNumber): boolean {
  const before = text.slice(Math.max(0, start - MOST_INDENT), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const begins = line.length < before.length || start < MOST_INDENT;
  return begins && line.trim() === '' && /^[.)]\s/.test(text.slice(end, end + 2));
}
