/** Finds a runner's own lines in its output. */

/** The most names that are kept. */
const MOST_NAMES = 200;

/** Returns the last match of the pattern, which must have the flag `g`; undefined if there is none. */
export function lastMatch(text: string, shape: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(shape)].at(-1);
}

/** Returns the number that the digits mean; 0 if undefined. */
export function numberOf(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}

/**
 * Returns the different names that the pattern's group `name` captures, in the order of the text. At
 * most 200 are returned.
 */
export function namesIn(text: string, shape: RegExp): string[] {
  const names = [...text.matchAll(shape)].map(({ groups }) => groups?.name?.trim() ?? '');
  return firstNames(names);
}

/** Returns the first 200 different names of tests, which are recorded; empty names are left out. */
export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MOST_NAMES);
}

/**
 * Parses a list such as `2 failed | 1 passed` or `2 failed, 1 passed` into numbers by their words.
 */
export function numbersIn(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/(\d+) ([a-z]+)/g)].map(([, digits, word = '']) => [word, Number(digits)]),
  );
}

/** Adds up the numbers that belong to these words. A missing word counts 0. */
export function addCounts(numbers: ReadonlyMap<string, number>, ...words: string[]): number {
  return words.reduce((all, word) => all + (numbers.get(word) ?? 0), 0);
}
