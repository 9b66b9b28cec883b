import { describe, expect, it } from 'vitest';
import { findCopies, poolVoices } from '../../src/decisions/fold.ts';
import { poolForecasts, readPercent } from '../../src/decisions/forecasts.ts';

describe('readPercent', () => {
  it.each([
    [70, 70],
    ['70', 70],
    ['70 %', 70],
    ['about 70%', 70],
    ['82.54 percent', 82.5],
    [1, 1],
    [99, 99],
  ])('parses %j as %d percent', (given, percent) => {
    expect(readPercent(given)).toEqual({ percent });
  });

  it.each([
    0,
    100,
    1000,
    -5,
    0.7,
    99.5,
    '0 %',
    '100%',
    '1000 %',
    'seventy',
    'likely',
    '60-70',
    '60 or 70',
    '',
    null,
    undefined,
    {},
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('refuses %s, which is no number from 1 to 99', (given) => {
    expect(readPercent(given)).toHaveProperty('why');
  });
});

describe('poolForecasts', () => {
  it('returns a probability from the mean of the log odds', () => {
    const pooled = poolForecasts([
      { model: 'ollama/llama3:8b', percent: 90 },
      { model: 'ollama/qwen3:8b', percent: 50 },
    ]);
    // 90 % and 50 % are odds of 9 and 1, whose geometric mean is 3; odds of 3 are 75 %.
    expect(pooled).toEqual({ percent: 75, voices: 2 });
  });

  it('counts all models of one family as one voice', () => {
    const pooled = poolForecasts([
      { model: 'ollama/qwen3:8b', percent: 90 },
      { model: 'ollama/qwen2.5:7b', percent: 90 },
      { model: 'other/qwen3:14b', percent: 90 },
      { model: 'ollama/llama3:8b', percent: 50 },
    ]);
    expect(pooled).toEqual({ percent: 75, voices: 2 });
  });

  it('returns undefined if nobody gave a probability', () => {
    expect(poolForecasts([])).toBeUndefined();
  });
});

describe('poolVoices', () => {
  const makeForecasts = (model: string, percent: number, why: string) => ({
    model,
    forecasts: [{ prediction: 'P-1-1', percent, why }],
  });
  const copied = 'two of the last three moves took twice as long';

  it('counts two models as one voice if their answers have the same words', () => {
    const all = [
      makeForecasts('a/llama3', 90, copied),
      makeForecasts('b/qwen3', 90, `${copied}.`),
      makeForecasts('c/mistral', 50, 'nobody can know'),
    ];
    expect([...findCopies(all)]).toEqual([['b/qwen3', 'a/llama3']]);
    expect(poolVoices([{ id: 'P-1-1' }], all)).toEqual([
      { prediction: 'P-1-1', percent: 75, voices: 2 },
    ]);
  });

  it('counts two models as two voices if they give the same number with different reasons', () => {
    const all = [
      makeForecasts('a/llama3', 90, copied),
      makeForecasts('b/qwen3', 90, 'the team has done it before'),
    ];
    expect(findCopies(all).size).toBe(0);
    expect(poolVoices([{ id: 'P-1-1' }], all)).toMatchObject([{ percent: 90, voices: 2 }]);
  });
});
