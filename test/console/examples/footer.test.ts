/** The last row of a replay: the keys of what is read first, and at its end only those that still do something. */
import { describe, expect, it } from 'vitest';
import { openExample } from './example.ts';

describe('the last row of the screen in a replay of a recorded run', () => {
  it('lists the keys of the open tab, and refers to the help for the keys of the replay', async () => {
    const { screen, press } = openExample('rounds', 80, 24, false);
    await press('3');
    const footer = screen.lines.at(-1) ?? '';
    for (const key of ['Enter open', 't status', 'o role', 'u round', '/ search', 'replay: ? keys'])
      expect(footer).toContain(key);
    expect(footer).toMatch(/replay: \? keys {2}q quit$/);
  });

  it('lists no keys for pause, speed or skipping after the replay has ended', async () => {
    const { screen, press } = openExample('rounds', 120, 40);
    await screen.settled();
    const footer = screen.lines.at(-1) ?? '';
    expect(footer).toContain('p replay');
    expect(footer).not.toMatch(/pause|faster|slower|skip|replay:/);
    await press('+');
    expect(screen.text).toContain('The replay has ended; p plays it again.');
  });
});
