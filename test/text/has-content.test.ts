/** Which texts say nothing, by what models on real servers handed in. */
import { describe, expect, it } from 'vitest';
import { hasContent, isSingleWord } from '../../src/text/words/has-content.ts';

describe('hasContent, which tells whether a text has a meaningful word or number,', () => {
  it.each([
    // The model SmolLM2-135M answered with this text when it was asked for the statement of a thesis.
    '{',
    // A model that only strings words together answered with the next four texts.
    ',',
    ' is the',
    ' }],,],:',
    'and" of its",]}:',
    // A model that only strings sentences together gave this id of a claim as the text of a decision.
    'C-1-2',
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
  // The model SmolLM2-135M-Instruct gave single words like these as statements, as notes of a verdict and as a
  // decision.
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
