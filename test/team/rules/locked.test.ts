/** Tests where verifiers' tests are put. */
import { expect, it } from 'vitest';
import { freePath } from '../../../src/protocols/team/rules/locked.ts';

it('freePath returns a different file name for every test of two workstreams', () => {
  const taken = new Set(['test/a.test.js']);
  for (let count = 0; count < 120; count += 1) {
    const lane = { lane: count % 2, lanes: 2 };
    const path = freePath('test/a.test.js', (path) => taken.has(path), ['test/*.test.js'], lane);
    expect(taken.has(path)).toBe(false);
    expect(path).toMatch(/^test\/.*\.test\.js$/);
    taken.add(path);
  }
});
