/** Price lists of several places as one. */
import { expect, test } from 'vitest';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { mergePrices, type PriceList, priceOf, priceSourceOf } from '../../src/models/prices.ts';

const makePrice = (input: number) => ({ input, output: 0, cache_read: 0, cache_write: 0 });
const makePriceList = (
  as_of: string,
  source: string,
  prices: Record<string, number>,
): PriceList => ({
  as_of,
  source,
  usd_per_million_tokens: Object.fromEntries(
    Object.entries(prices).map(([model, input]) => [model, makePrice(input)]),
  ),
});

test('a model’s price comes from the first price list that contains the model', () => {
  const merged = mergePrices([
    makePriceList('2026-01-02', 'mine', { 'a/one': 5, 'b/new': 7 }),
    makePriceList('2025-01-01', 'built in', { 'a/one': 1, 'a/two': 2 }),
  ]);
  const million = { ...NO_USAGE, input: 1_000_000 };
  expect(priceOf(merged, 'a/one', million)).toBe(5);
  expect(priceOf(merged, 'a/two', million)).toBe(2);
  expect(priceOf(merged, 'b/new-20260101', million)).toBe(7);
  expect(priceOf(merged, 'c/x', million)).toBeUndefined();
  expect(merged.as_of).toBe('2026-01-02');
  expect(merged.usd_per_million_tokens['a/one']).toMatchObject({
    as_of: '2026-01-02',
    source: 'mine',
  });
  expect(merged.usd_per_million_tokens['a/two']).toMatchObject({
    as_of: '2025-01-01',
    source: 'built in',
  });
});

test('priceSourceOf returns the price list that contains a model, or contains the model without the date in its name', () => {
  const merged = mergePrices([
    makePriceList('2026-01-02', 'mine', { 'a/one': 5, 'ollama/big': 7 }),
    makePriceList('2025-01-01', 'built in', { 'a/two': 2 }),
  ]);
  const ownSource = { source: 'mine', asOf: '2026-01-02' };
  expect(priceSourceOf(merged, 'a/one-20260101')).toEqual(ownSource);
  expect(priceSourceOf(merged, 'a/two')).toEqual({ source: 'built in', asOf: '2025-01-01' });
  expect(priceSourceOf(merged, 'c/x')).toBeUndefined();
  expect(priceSourceOf(undefined, 'a/one')).toBeUndefined();
  // Ollama is taken to run on one's own machine, where a model costs nothing, whatever a price list says.
  // If the third argument says that the server is remote, the price list counts.
  expect(priceSourceOf(merged, 'ollama/big')).toBeUndefined();
  expect(priceSourceOf(merged, 'ollama/big', true)).toEqual(ownSource);
});
