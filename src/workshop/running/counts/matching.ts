/** Finding a runner's own lines. */

/** Names that are kept; somebody who breaks everything has seen enough of them. */
const MOST_NAMES = 200;

export function lastMatch(text: string, shape: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(shape)].at(-1);
}

export function numberOf(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits);
}

/** Each name once, in the order of the text. */
export function namesIn(text: string, shape: RegExp): string[] {
  const names = [...text.matchAll(shape)].map(({ groups }) => groups?.name?.trim() ?? '');
  return firstNames(names);
}

export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MOST_NAMES);
}

/** `2 failed | 1 passed`, `2 failed, 1 passed`: the numbers by their words. */
export function numbersIn(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/(\d+) ([a-z]+)/g)].map(([, digits, word = '']) => [word, Number(digits)]),
  );
}

/** What all of these words count together. */
export function sum(numbers: ReadonlyMap<string, number>, ...words: string[]): number {
  return words.reduce((all, word) => all + (numbers.get(word) ?? 0), 0);
}
