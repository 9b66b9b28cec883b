/** Runs the program in a real pseudo-terminal. */

import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { type CommandEnd, environmentOf, PROGRAM, type Session, waitForCalls } from './session.ts';

const [COLUMNS, ROWS] = [100, 30];
const KEY_MS = 1_000;

/**
 * Runs a command of the program in a terminal. After `afterCalls` more calls of the session have ended, presses
 * the keys, one a second. The note of the result has the screen as it was before each key.
 * @param limit seconds after which the command is killed
 */
export async function pressKeys(
  session: Session,
  args: readonly string[],
  { afterCalls, keys, limit }: { afterCalls: number; keys: readonly string[]; limit: number },
): Promise<CommandEnd> {
  const began = performance.now();
  const emulator = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const process_ = spawn(process.execPath, [PROGRAM, ...args], {
    cols: COLUMNS,
    rows: ROWS,
    name: 'xterm-256color',
    cwd: session.folder,
    env: environmentOf(session),
  });
  let raw = '';
  process_.onData((data) => {
    raw += data;
    emulator.write(data);
  });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    process_.kill('SIGKILL');
  }, limit * 1_000);
  const exited = new Promise<string>((resolve) =>
    process_.onExit(({ exitCode, signal }) => resolve(signal ? `signal ${signal}` : `${exitCode}`)),
  );
  const screens: string[] = [];
  if (await waitForCalls(session, afterCalls, exited)) {
    for (const key of keys) {
      screens.push(readScreen(emulator));
      process_.write(key);
      await Promise.race([sleep(KEY_MS), exited]);
    }
  }
  const code = await exited;
  clearTimeout(late);
  return {
    args,
    out: raw,
    err: '',
    seconds: (performance.now() - began) / 1_000,
    code: isLate ? 'too late' : code,
    note: screens.join('\n----\n'),
  };
}

function readScreen(emulator: xterm.Terminal): string {
  const { active } = emulator.buffer;
  return Array.from(
    { length: ROWS },
    (_row, index) => active.getLine(active.viewportY + index)?.translateToString(true) ?? '',
  ).join('\n');
}
