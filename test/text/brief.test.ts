/** What somebody typed, as it is quoted: no longer than can be read. */
import { describe, expect, it } from 'vitest';
import { shortenMessage } from '../../src/text/brief.ts';

describe('shortenMessage', () => {
  it.each([
    ['one word', 'x'.repeat(10_000)],
    ['many words', 'ab '.repeat(4_000)],
    ['emoji, each a surrogate pair', '🦉'.repeat(4_000)],
  ])('replaces the middle of a very long name by an ellipsis: %s', (_what, name) => {
    const told = shortenMessage(`there is no agent "${name}" here\nLook again.`);
    expect(told.length).toBeLessThan(4_200);
    expect(told).toMatch(/^there is no agent "/);
    expect(told).toMatch(/" here\nLook again\.$/);
    expect(told).toContain('…');
    expect(told.isWellFormed()).toBe(true);
  });

  it('does not shorten a path of 210 characters or a list of 120 names', () => {
    const text = `${'/folder'.repeat(30)}: 12 problems\n${'a-name, '.repeat(120)}`;
    expect(shortenMessage(text)).toBe(text);
  });
});
