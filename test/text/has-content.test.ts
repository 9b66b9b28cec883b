/** Which texts say nothing, by what models on real servers handed in. */
import { describe, expect, it } from 'vitest';
import { hasContent, isSingleWord } from '../../src/text/words/has-content.ts';

describe('hasContent, which tells whether a text has a meaningful word or number,', () => {
  it.each([
    '{', // SmolLM2-135M gave this as the statement of a thesis
    ',', // a word chain gave this as a statement of a plan
    ' is the', // a word chain gave this as a claim of rounds
    ' }],,],:', // a word chain gave this as a decision of rounds
    'and" of its",]}:', // a word chain gave this as a text of a board
    'C-1-2', // a sentence chain gave this as a decision of rounds
    '(C-1-1, S-1#L1)',
    'x'.repeat(3) + '{'.repeat(40),
    '',
  ])('returns false for %j', (text) => {
    expect(hasContent(text)).toBe(false);
  });

  it.each([
    'Wait.',
    '95 %',
    'No.',
    'S3',
    'C-1-1, C-1-2 and S-1#L1-L3 hold',
    'It is not the cache.',
    '先分离搜索',
    'Это не так',
    'retries[i] = f(x);',
  ])('returns true for %j', (text) => {
    expect(hasContent(text)).toBe(true);
  });
});

describe('isSingleWord, which tells whether a text is only one word,', () => {
  // SmolLM2-135M-Instruct gave these as statements, as notes of a verdict, and as a decision.
  it.each(['dance', 'True', '[a]barec-dj-005', 'reason-based', ''])(
    'returns true for %j',
    (text) => {
      expect(isSingleWord(text)).toBe(true);
    },
  );

  it.each(['Split it.', 'No: wait', '先拆分账本', 'Es bleibt'])('returns false for %j', (text) => {
    expect(isSingleWord(text)).toBe(false);
  });
});
