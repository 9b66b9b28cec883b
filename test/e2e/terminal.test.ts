/** Tests the console on terminals of every kind, and every way to leave it. */
import { describe, expect, it } from 'vitest';
import { startOllama } from '../servers/index.ts';
import { closeAfterTest, makeDatabasePath, viewIn } from './scene.ts';
import { Terminal, type TerminalOptions } from './terminal.ts';

const SLOW = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');

/** Drawing at this size takes a quarter of the time of the default. */
const SMALL = { columns: 80, rows: 24 };

function startRehearsal(options: TerminalOptions = {}, speed = '1000'): Terminal {
  return new Terminal(['board', '--rehearse', '--rehearse-speed', speed, 'Should we?'], {
    ...SMALL,
    ...options,
    env: { DELIBERATE_DB: makeDatabasePath(), ...options.env },
  });
}

describe('the colors of the output', () => {
  it('are off with NO_COLOR', async () => {
    const plain = startRehearsal({ env: { NO_COLOR: '1', COLORTERM: 'truecolor' } });
    await plain.until(/Synthesis v1/);
    expect(plain.raw).not.toMatch(/\u001b\[[0-9;]*(?:[34]8;|3[0-7]|4[0-7]|9[0-7]|10[0-7])[0-9;]*m/);
  });
});

describe('a terminal that cannot be drawn on', () => {
  it('gets plain text', async () => {
    const terminal = startRehearsal({ env: { TERM: 'dumb' } });
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw).not.toContain('\u001b');
    expect(terminal.raw).toContain('## Recommendation');
  });
});

describe('the size of the console', () => {
  it('follows the size of the terminal', async () => {
    const terminal = startRehearsal({ env: { COLORTERM: 'truecolor' } });
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
      [200, 50],
    ] as const) {
      terminal.resize(columns, rows);
      const screen = await terminal.until(
        // Wait until the screen is drawn in the new size: the row of keys is the last row, and at least one row
        // reaches the last column.
        (shown) =>
          /Synthesis v1[\s\S]*q quit/.test(shown) &&
          shown
            .split('\n')
            .at(rows - 1)
            ?.includes('q quit') === true &&
          shown.split('\n').some((line) => line.length === columns),
      );
      expect(screen).toContain('REHEARSAL');
      expect(screen.split('\n').every((line) => line.length <= columns)).toBe(true);
    }
    expect(terminal.raw).toMatch(/\u001b\[[0-9;]*38;2;/);
    terminal.resize(20, 6);
    await terminal.until(/small/i);
    terminal.resize(100, 30);
    await terminal.until(/Synthesis v1[\s\S]*q quit/);
  });
});

describe('leaving the console', () => {
  async function startLive(): Promise<{ terminal: Terminal; db: string }> {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 25, answer: SLOW }),
    );
    const db = makeDatabasePath();
    const terminal = new Terminal(['board', '--model', 'ollama/a', 'Should we?'], {
      ...SMALL,
      env: { OLLAMA_HOST: server.url, DELIBERATE_DB: db },
    });
    // The test server answers with numbered words. When `word9` is on the screen three times, all three seats
    // have begun to answer.
    await terminal.until((screen) => screen.split('word9').length > 3);
    return { terminal, db };
  }

  it('with q asks first while the run is live', async () => {
    const { terminal, db } = await startLive();
    terminal.press('q');
    await terminal.until(/Quit\?/);
    terminal.press('n');
    await terminal.until((screen) => !screen.includes('Quit?'));
    terminal.press('q');
    await terminal.until(/Quit\?/);
    terminal.press('y');
    expect(await terminal.exited).toBe(130);
    expect(terminal.alternate).toBe(false);
    expect(terminal.raw).toContain('deliberate resume');
    expect(viewIn(db).status).toBe('stopped');
  });

  it('with Ctrl-C first stops the run', async () => {
    const { terminal, db } = await startLive();
    terminal.press('\u0003');
    await terminal.until(/■ stopped/);
    expect(viewIn(db).status).toBe('stopped');
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(130);
    expect(terminal.alternate).toBe(false);
  });

  it.each(['SIGTERM', 'SIGHUP'])(
    'with %s restores the terminal and keeps the run',
    async (signal) => {
      const { terminal, db } = await startLive();
      terminal.process.kill(signal);
      expect(await terminal.exited).toBe(130);
      expect(terminal.alternate).toBe(false);
      const view = viewIn(db);
      expect(view.status).toBe('stopped');
      for (const call of Object.values(view.calls))
        expect(call).toMatchObject({ state: 'stopped', text: expect.stringContaining('word3') });
    },
  );
});

describe('watching from another terminal', () => {
  it('shows the streams and does not affect the run', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 20, answer: SLOW.slice(0, 500) }),
    );
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
    const owner = new Terminal(['board', '--model', 'ollama/a', 'Should we?'], { ...SMALL, env });
    await owner.until(/word9/);
    const watcher = new Terminal(['watch', 'latest'], { ...SMALL, env });
    await watcher.until(/open elsewhere[\s\S]*word2/);
    await watcher.until(/Synthesis v1/);
    watcher.press('q');
    expect(await watcher.exited).toBe(0);
    await owner.until(/Synthesis v1/);
    expect(server.chats()).toHaveLength(4);
  });
});
