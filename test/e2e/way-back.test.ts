/**
 * Tests with the keyboard of a real terminal that Esc leads back from a run to the screen that it was opened from, and
 * what the history previews.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

/** Creates a database with one finished rehearsal of a board, and returns the environment that names it. */
async function finishedBoard(): Promise<Record<string, string>> {
  const home = makeFolder();
  const env = { HOME: home, DELIBERATE_DB: join(home, 'runs.db'), OLLAMA_HOST: '127.0.0.1:1' };
  const rehearsed = ['--rehearse', '--rehearse-speed', '1000', '--seed', '1', '--plain'];
  const { code } = await runDeliberate(['board', ...rehearsed, 'Should we split?'], { env });
  expect(code).toBe(0);
  return env;
}

describe('The key Esc', () => {
  it.each([
    ['opened', '\r', /Done: 3 of 3 seats/],
    ['replayed', 'p', /[▶■] replay/],
  ])('leads back to the history from a run that was %s there', async (_how, key, shown) => {
    const terminal = new Terminal(['history'], {
      columns: 80,
      rows: 24,
      env: await finishedBoard(),
    });
    await terminal.until(/Should we split\?/);
    terminal.press(key);
    const run = await terminal.until(shown);
    expect(run.split('\n').at(-1)).toMatch(/q back/);
    terminal.press('\u001b');
    await terminal.until(/1 shown/);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
  });

  it('leads back to the home screen from the run of an example', async () => {
    const terminal = new Terminal([], { columns: 80, rows: 24, env: await finishedBoard() });
    await terminal.until(/What is to be decided/);
    terminal.press('\u0018');
    await terminal.until(/Which example/);
    terminal.press('\r');
    await terminal.until(/EXAMPLE/);
    terminal.press('\u001b');
    await terminal.until(/What is to be decided/);
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(0);
  });

  it('does not lead back from a run that is live: a message says which key quits', async () => {
    const home = makeFolder();
    const terminal = new Terminal(['--rehearse', '--rehearse-speed', '0.2'], {
      columns: 80,
      rows: 24,
      env: { HOME: home, DELIBERATE_DB: join(home, 'runs.db'), OLLAMA_HOST: '127.0.0.1:1' },
    });
    await terminal.until(/What is to be decided/);
    terminal.press('Should we?');
    await terminal.until(/5 calls/);
    terminal.press('\r');
    await terminal.until(/● live/);
    terminal.press('\u001b');
    await terminal.until(/Nothing to close; q quits\./);
    terminal.press('q');
    await terminal.until(/Quit\?/);
    terminal.press('y');
    await terminal.until(/What is to be decided/);
  });
});

it('the preview of the history shows the last question of a board, and what was recommended on it', async () => {
  const env = await finishedBoard();
  const asked = ['ask', 'latest', '--rehearse-speed', '1000', '--plain', 'And by when?'];
  expect((await runDeliberate(asked, { env })).code).toBe(0);
  const terminal = new Terminal(['history'], { columns: 100, rows: 40, env });
  const shown = await terminal.until(/Question 2: And by when\?\s+Recommendation: \S/);
  expect(shown).not.toContain('Question 1');
  terminal.press('q');
  expect(await terminal.exited).toBe(0);
});
