/** Tests the first frame, drawn while the rest of the program is still loading, on a real terminal. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Terminal as Emulator } from '@xterm/headless';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDatabasePath, makeFolder } from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

const QUESTION = 'Should we split the monolith?';
const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';
const FRAME_ENDS = '\u001b[?2026l';
/** Ink hides the cursor when it begins; the first frame has hidden it already. */
const INK = '\u001b[H\u001b[?25l';

/**
 * Starts a model server that accepts a request and never answers, so that the program looks for models
 * until it is ended.
 */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits for bytes that the screen does not show. */
async function waitForBytes(terminal: Terminal, wanted: string): Promise<void> {
  await terminal.until(() => terminal.raw.includes(wanted));
}

/** Returns what the screen showed whenever a frame was complete. */
async function framesIn(raw: string, columns = 120, rows = 40): Promise<string[]> {
  const emulator = new Emulator({ cols: columns, rows, allowProposedApi: true });
  const frames: string[] = [];
  const [before = '', ...drawn] = raw.split(ENTER);
  await new Promise<void>((resolve) => emulator.write(before + ENTER, resolve));
  for (const part of drawn.join(ENTER).split(FRAME_ENDS)) {
    await new Promise<void>((resolve) => emulator.write(part + FRAME_ENDS, resolve));
    const { active } = emulator.buffer;
    frames.push(
      Array.from({ length: rows }, (_, row) => active.getLine(row)?.translateToString(true)).join(
        '\n',
      ),
    );
  }
  return frames;
}

describe('the first frame of a board', () => {
  it('is drawn before the library Ink is loaded, and Ink begins with the same rows', async () => {
    const terminal = new Terminal(['board', '--rehearse', '--rehearse-speed', '1000', QUESTION], {
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    await terminal.until(/Synthesis v1[\s\S]*q quit/);
    const { raw } = terminal;
    expect(raw.indexOf(QUESTION)).toBeGreaterThan(0);
    expect(raw.slice(0, raw.indexOf(INK))).toContain(FRAME_ENDS);
    expect(raw.split(ENTER)).toHaveLength(2);
    const frames = await framesIn(raw);
    // Every frame has the question in its first row and text in its last row but one.
    for (const frame of frames) {
      const lines = frame.split('\n');
      expect(lines[0]).toMatch(/^ deliberate {2}board · Should we split/);
      expect(lines.at(-2)?.trim()).not.toBe('');
    }
    expect(frames[0]).toContain('The run is about to begin.');
    const before = await framesIn(raw.slice(0, raw.indexOf(INK)));
    // Compare the two frames without their digits, because seconds may pass between them.
    const maskDigits = (frame: string | undefined): string | undefined =>
      frame?.replace(/\d/g, '0');
    const last = maskDigits(before.at(-2));
    expect(last).toMatch(/ Advocate [\s\S]*━━━[\s\S]*q quit/);
    expect(maskDigits(frames[before.length - 1])).toBe(last);
  });

  it('adapts to a window that is resized before the library Ink is loaded', async () => {
    const address = await startSilentServer();
    const terminal = new Terminal(['board', QUESTION], {
      env: { DELIBERATE_DB: makeDatabasePath(), HOME: makeFolder(), OLLAMA_HOST: address },
    });
    await terminal.until(/Looking for models/);
    expect(terminal.raw).not.toContain(INK);
    terminal.resize(80, 20);
    const screen = await terminal.until((now) =>
      (now.split('\n').at(-2) ?? '').includes('Looking for models'),
    );
    expect(screen.split('\n')).toHaveLength(20);
    terminal.resize(20, 6);
    await terminal.until(/terminal too small/);
    terminal.resize(100, 30);
    await terminal.until(/Should we split/);
    terminal.press('\u0003');
    expect(await terminal.exited).toBe(130);
  });
});

describe('the first frame of home', () => {
  it('keeps keys that are pressed before the library Ink has started, in order', async () => {
    const terminal = new Terminal([], {
      env: { DELIBERATE_DB: makeDatabasePath(), HOME: makeFolder() },
    });
    await waitForBytes(terminal, ENTER);
    expect(terminal.raw).not.toContain(INK);
    terminal.press('Why');
    terminal.press(' not?');
    await terminal.until(/> Why not\?/);
  });
});

describe('before Ink, the library that draws the screen, has started', () => {
  it.each([
    ['Ctrl-C', undefined, 130],
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGHUP', 'SIGHUP', 129],
  ] as const)('%s ends the program and restores the terminal', async (_name, signal, code) => {
    const pid = join(makeFolder(), 'pid');
    const program = `echo $$ > ${pid}; exec "$0" "$@"`;
    const script = `stty -a; sh -c '${program}' "$0" "$@"; echo "code $?"; stty -a`;
    const terminal = new Terminal(['-c', script, process.execPath, PROGRAM, 'board', QUESTION], {
      command: '/bin/sh',
      env: {
        DELIBERATE_DB: makeDatabasePath(),
        HOME: makeFolder(),
        OLLAMA_HOST: await startSilentServer(),
      },
    });
    await terminal.until(/Looking for models/);
    expect(terminal.raw).not.toContain(INK);
    expect(terminal.alternate).toBe(true);
    if (signal === undefined) terminal.press('\u0003');
    else process.kill(Number(readFileSync(pid, 'utf8')), signal);
    await terminal.exited;
    expect(terminal.alternate).toBe(false);
    expect(await terminal.screen()).toContain(`code ${code}`);
    expect(terminal.raw.slice(terminal.raw.lastIndexOf('\u001b[?25'))).toMatch(/^\u001b\[\?25h/);
    const findModes = (text: string | undefined): string[] =>
      text?.match(/-?\b(?:icanon|echo|isig)\b/g) ?? [];
    expect(findModes(terminal.raw.split(LEAVE).at(-1))).toEqual(
      findModes(terminal.raw.split(ENTER)[0]),
    );
    expect(findModes(terminal.raw.split(ENTER)[0])).toHaveLength(3);
  });

  it('a failed start leaves a normal screen with the error', async () => {
    const home = makeFolder();
    mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
    writeFileSync(join(home, '.config', 'deliberate', 'config.yaml'), 'no_such_setting: 1\n');
    for (const args of [[], ['board', '--rehearse', QUESTION]]) {
      const terminal = new Terminal(args, {
        env: { HOME: home, DELIBERATE_DB: makeDatabasePath() },
      });
      expect(await terminal.exited).toBe(1);
      expect(terminal.raw).toContain(ENTER);
      expect(terminal.alternate).toBe(false);
      const shown = (await terminal.screen()).trim();
      expect(shown).toMatch(/^deliberate: .*no_such_setting/);
      expect(shown).not.toContain('about to begin');
      expect(terminal.raw.lastIndexOf(LEAVE)).toBeLessThan(terminal.raw.indexOf('no_such_setting'));
    }
  });

  it('a wrong command line draws no frame', async () => {
    for (const args of [
      ['board', '--rounds', '3', QUESTION],
      ['board', '--idle-timeout', 'soon', QUESTION],
      ['board', '--rehearse'],
    ]) {
      const terminal = new Terminal(args, { env: { DELIBERATE_DB: makeDatabasePath() } });
      expect(await terminal.exited).toBe(2);
      expect(terminal.raw).not.toContain(ENTER);
    }
  });

  it('the program asks on the normal screen if no model is found', async () => {
    const terminal = new Terminal(['board', QUESTION], {
      env: {
        HOME: makeFolder(),
        DELIBERATE_DB: makeDatabasePath(),
        OLLAMA_HOST: 'http://127.0.0.1:9',
      },
    });
    await terminal.until(/No model was found[\s\S]*\[y\/N\]/);
    expect(terminal.alternate).toBe(false);
    terminal.press('y');
    terminal.press('\r');
    await terminal.until(/Synthesis v1/);
  });
});
