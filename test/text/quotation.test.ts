/** Where a quotation stands in a text, by plain values. */
import { expect, it } from 'vitest';
import { linesOfQuotation } from '../../src/text/words/quotation.ts';

it('linesOfQuotation finds a quotation of at least three words, whatever characters are between its words', () => {
  const text = { text: 'one\ntwo words here\nthree' };
  expect(linesOfQuotation('“Two  words, here three”', text)).toEqual([2, 3]);
  expect(linesOfQuotation('b c d', { text: 'a b c d' })).toEqual([1, 1]);
  expect(linesOfQuotation('two words', text)).toBeUndefined();
  expect(linesOfQuotation('words that stand nowhere', text)).toBeUndefined();
});
