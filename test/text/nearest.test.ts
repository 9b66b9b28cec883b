import { describe, expect, it } from 'vitest';
import { findNearest } from '../../src/text/nearest.ts';

const NAMES = ['model', 'preset', 'rounds', 'budget_usd', 'idle_timeout'];

describe('finding the most similar name', () => {
  it.each([
    ['modle', 'model'],
    ['Model', 'model'],
    ['presets', 'preset'],
    ['budget-usd', 'budget_usd'],
    ['idletimeout', 'idle_timeout'],
    ['round', 'rounds'],
  ])('finds for the misspelled name %s the known name %s', (wrong, meant) => {
    expect(findNearest(wrong, NAMES)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'timeout', 'usd_budget'])(
    'finds no known name that is similar enough to %j',
    (wrong) => {
      expect(findNearest(wrong, NAMES)).toBeUndefined();
    },
  );
});
