/** The counter that stands in place of a clock: the same input, the same steps, and nothing slow hides from it. */
import { describe, expect, it } from 'vitest';
import { countSteps } from './steps.ts';

const file = new URL('./quadratic.ts', import.meta.url);
const TEXTS = [500, 5_000].map((length) => ['a'.repeat(length)]);

describe('countSteps, which counts the steps of a function in place of its time,', () => {
  it('counts the same steps for the same input', async () => {
    const counts = await Promise.all([1, 2].map(() => countSteps(file, 'scanOnce', TEXTS)));
    expect(counts[0]).toEqual(counts[1]);
  });

  it('counts ten times as many steps for ten times the input if the cost is linear', async () => {
    const [small = 0, large = 0] = await countSteps(file, 'scanOnce', TEXTS);
    expect(small).toBeGreaterThanOrEqual(500);
    expect(large / small).toBeCloseTo(10, 0);
  });

  it.each(['byLoops', 'bySearches', 'byExpressions', 'byCopies'])(
    'counts a hundred times as many steps for ten times the input if the cost is quadratic: %s',
    async (name) => {
      const [small = 0, large = 0] = await countSteps(file, name, TEXTS);
      expect(large / small).toBeGreaterThan(80);
    },
  );

  it('counts only the steps of the returned function if a function returns a function', async () => {
    const calls = ['', 'a'.repeat(50_000)].map((before) => [before, 'a'.repeat(500)]);
    const [alone = 0, after = 0] = await countSteps(file, 'countPrepared', calls);
    expect(after).toBe(alone);
  });

  it('fails if the file does not export the function', async () => {
    await expect(countSteps(file, 'none', [])).rejects.toThrow(/exports no none/);
  });
});
