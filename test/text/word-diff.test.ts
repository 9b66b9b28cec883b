/** Words that only one of two texts has. */
import { expect, test } from 'vitest';
import { wordDiff } from '../../src/text/words/word-diff.ts';

function findOwnWords(left: string, right: string): [string, string, number] {
  const [a, b] = [left.split(' '), right.split(' ')];
  const diff = wordDiff(a, b);
  const pickMarked = (words: string[], marks: readonly boolean[]): string =>
    words.filter((_word, index) => marks[index]).join(' ');
  return [pickMarked(a, diff.left), pickMarked(b, diff.right), diff.shared];
}

test('wordDiff marks equal words in the same order as common', () => {
  expect(findOwnWords('keep one database', 'keep one database')).toEqual(['', '', 1]);
  expect(wordDiff([], [])).toEqual({ left: [], right: [], shared: 1 });
});

test('wordDiff marks inserted, removed and replaced words as different', () => {
  expect(findOwnWords('split the checkout now', 'split now')).toEqual(['the checkout', '', 4 / 6]);
  expect(findOwnWords('wait a quarter', 'wait a whole year')).toEqual([
    'quarter',
    'whole year',
    4 / 7,
  ]);
});

test('wordDiff counts one of two swapped words as common to both texts', () => {
  expect(findOwnWords('first second', 'second first')[2]).toBe(0.5);
});

test('wordDiff finds nothing in common if the texts share no word', () => {
  expect(findOwnWords('yes', 'no')).toEqual(['yes', 'no', 0]);
});

test('wordDiff compares only the first 1,500 words of two texts, and marks all later words as different', () => {
  const words = Array.from({ length: 1600 }, (_, index) => `w${index}`);
  const { left } = wordDiff(words, words);
  expect(left.indexOf(true)).toBe(1500);
});
