/** What went wrong, as it is told: by name, and no longer than can be read. */
import { describe, expect, it } from 'vitest';
import { explained } from '../../src/cli/failed.ts';
import { UsageError } from '../../src/kernel/errors.ts';

describe('An error that quotes what somebody typed', () => {
  it.each([
    ['one word', 'x'.repeat(10_000)],
    ['many words', 'ab '.repeat(4_000)],
    ['letters of two units', '🦉'.repeat(4_000)],
  ])('leaves out the middle of it: %s', (_what, name) => {
    const told = explained(new UsageError(`there is no agent "${name}" here`, 'Look again.'), {});
    expect(told.length).toBeLessThan(4_200);
    expect(told).toMatch(/^deliberate: there is no agent "/);
    expect(told).toMatch(/" here\nLook again\.\n$/);
    expect(told).toContain('…');
    expect(told.isWellFormed()).toBe(true);
  });

  it('leaves paths, lists and lines as they are', () => {
    const text = `${'/folder'.repeat(30)}: 12 problems\n${'a-name, '.repeat(120)}`;
    expect(explained(new UsageError(text), {})).toBe(`deliberate: ${text}\n`);
  });
});
