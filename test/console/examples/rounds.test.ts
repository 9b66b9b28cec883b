/** Reading the rounds example once has to be enough to say what was decided, why, what is open, how far to trust it. */
import { describe, expect, it } from 'vitest';
import { KEYS } from '../terminal.ts';
import { openExample, SIZES } from './example.ts';

/** Removes line breaks, so that a sentence is found wherever it was wrapped. */
function flattenText(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe.each(SIZES)('the example of rounds at %i×%i', (columns, rows) => {
  it('says above the answer why the run ended', async () => {
    const { screen, press } = openExample('rounds', columns, rows);
    await screen.settled();
    expect(screen.text).toContain('Ended at the 3-round limit; the signals');
    // Beside another column, the end of the sentence that says why the run ended is cut off. The key z hides the
    // other column, so the whole sentence is visible.
    await press('z');
    expect(flattenText(screen.text)).toContain('(1 of 6 met; 3 cannot be met in 3 rounds)');
    await press('1');
    expect(flattenText(screen.text)).toContain('cannot be met in 3 rounds)');
    await press('4');
    expect(screen.text).toContain('After round 3: 1 of 6 signals is satisfied.');
  });
});

describe('the status line', () => {
  it('of a finished run says why the run ended, or on a narrow screen only that the run is done', async () => {
    const wide = openExample('rounds', 160, 40);
    await wide.screen.settled();
    expect(wide.screen.lines.at(-2)).toContain('Ended at the 3-round limit; the signals');
    const narrow = openExample('rounds', 80, 24);
    await narrow.screen.settled();
    expect(narrow.screen.lines.at(-2)).toContain('Done after 3 rounds.');
  });
});

it('The console marks a claim as "not tested" if only arguments confirmed it', async () => {
  const { screen, press } = openExample('rounds', 120, 40);
  await press('3', 'G', 'g');
  expect(screen.text).toMatch(/C-3-4 .*confirmed, not tested/);
  await press('/', 'C-3-4', KEYS.enter, KEYS.enter);
  expect(screen.text).toContain('Claim C-3-4 · confirmed, argued, not tested ·');
});

it('The console lists open claims that the answer leaves out', async () => {
  const { screen, press } = openExample('rounds', 120, 40);
  await press('z', KEYS.enter, ...Array.from({ length: 4 }, () => ' '));
  expect(flattenText(screen.text)).toContain(
    '8 claims are open; the text does not name C-1-4, C-1-5, C-3-3.',
  );
  await press('y');
  expect(screen.text).toContain('Synthesis v1');
});

it('The console shows above the answer how the seats voted, and who disagreed', async () => {
  const { screen, press } = openExample('rounds', 120, 40);
  await screen.settled();
  expect(screen.text).toMatch(/vote with the record: 3 /);
  await press('1');
  expect(flattenText(screen.text)).toMatch(/vote with the record: 3 .* · 1 .*\(Critic\)/);
});

it('The key v leads from the tab Claims to the vote, and v again goes back; in the tab Signals it scrolls to the vote', async () => {
  const { screen, press } = openExample('rounds', 80, 24);
  await press('3', 'v');
  expect(screen.text).toContain('[4 Signals]');
  expect(screen.text).toContain('A plain vote');
  await press('v');
  expect(screen.text).toContain('[3 Claims]');
  await press('4', 'g');
  expect(screen.text).not.toContain('A plain vote');
  await press('v');
  expect(screen.text).toContain('[4 Signals]');
  expect(screen.text).toContain('A plain vote');
});

it('Steps that are recorded under the name "exam" are called "entrance-test" in the tab Tree', async () => {
  const { screen, press } = openExample('rounds', 120, 40);
  await press('5', 'g');
  expect(screen.text).toMatch(/✓ entrance-test-\d /);
  expect(screen.text).not.toMatch(/exam-/);
  await press('/', 'entrance', KEYS.enter);
  expect(screen.text).toContain('Steps matching "entrance". Esc shows all.');
  expect(screen.text).toMatch(/✓ entrance-test-\d /);
});

it('The page of a claim starts at its first line, and says how many lines are below', async () => {
  const { screen, press } = openExample('rounds', 80, 24);
  await press('3', KEYS.enter);
  expect(screen.text).toContain('Claim C-1-1 ·');
  expect(screen.text).toMatch(/\d+ more below \(PgDn\)/);
});
