/** Runs the real program in a real pseudo-terminal, with a screen that tests can read. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { unsyncedEnv } from '../setup/unsynced.ts';
import { waitUntil } from '../until.ts';

/**
 * The path of a temporary link named `deliberate` to the program. Tests start the program by this link,
 * because its hints repeat the name by which it was started.
 */
export const PROGRAM: string = installProgram();

function installProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bin-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const name = join(folder, 'deliberate');
  symlinkSync(fileURLToPath(new URL('../../bin/deliberate.js', import.meta.url)), name);
  return name;
}

/** How the terminal and the program are started. By default the terminal has 120 columns and 40 rows. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Environment variables besides PATH and HOME; HOME is `/dev/null` unless it is given here. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder; by default that of the test. */
  readonly cwd?: string;
  /** Another command to run instead of the program, with the same arguments. */
  readonly command?: string;
}

/** A pseudo-terminal in which a program runs. The program is killed after the test. */
export class Terminal {
  /** The process of the program. */
  readonly process: IPty;
  /** Everything that the program wrote so far, with escape sequences. */
  raw = '';
  /**
   * Resolves when the program has ended and the screen shows everything that it wrote: with the exit code, or
   * with 128 + the number of the signal if a signal ended the program.
   */
  readonly exited: Promise<number>;
  readonly #emulator: xterm.Terminal;

  constructor(
    args: readonly string[],
    { columns = 120, rows = 40, env = {}, cwd, command }: TerminalOptions = {},
  ) {
    this.#emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.process = spawn(
      command ?? process.execPath,
      command === undefined ? [PROGRAM, ...args] : [...args],
      {
        cols: columns,
        rows,
        ...withoutUndefined({ cwd }),
        // The package `node-pty` sets the variable TERM to `name`, even if `env` has another value for it.
        name: env.TERM ?? 'xterm-256color',
        env: { PATH: process.env.PATH ?? '', HOME: '/dev/null', ...unsyncedEnv(), ...env },
      },
    );
    this.process.onData((data) => {
      this.raw += data;
      this.#emulator.write(data);
    });
    this.exited = new Promise((resolve) =>
      this.process.onExit(({ exitCode, signal }) =>
        // The promise `exited` resolves only when the screen shows everything that the program wrote.
        this.#emulator.write('', () => resolve(signal ? 128 + signal : exitCode)),
      ),
    );
    onTestFinished(() => {
      try {
        this.process.kill('SIGKILL');
      } catch {
        // Ignore the error of `kill`: the tested program has already ended.
      }
    });
  }

  /** Sends keys to the program. */
  press(keys: string): void {
    this.process.write(keys);
  }

  /** Changes the size of the terminal, as a person does who resizes its window. */
  resize(columns: number, rows: number): void {
    this.process.resize(columns, rows);
    this.#emulator.resize(columns, rows);
  }

  /** Returns the lines that a person sees now, without trailing spaces. */
  async screen(): Promise<string> {
    await new Promise<void>((resolve) => this.#emulator.write('', resolve));
    const { active } = this.#emulator.buffer;
    return Array.from(
      { length: this.#emulator.rows },
      (_row, index) => active.getLine(active.viewportY + index)?.translateToString(true) ?? '',
    ).join('\n');
  }

  /**
   * Returns whether the terminal shows its alternate screen, as it does for programs that fill the screen.
   */
  get alternate(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  /**
   * Waits until the screen matches `wanted`, and resolves with the screen.
   * @throws Error with the last screen, if the screen does not match in time
   */
  async until(wanted: RegExp | ((screen: string) => boolean)): Promise<string> {
    let screen = '';
    await waitUntil(
      async () => {
        screen = await this.screen();
        return typeof wanted === 'function' ? wanted(screen) : wanted.test(screen);
      },
      () => `the screen never showed ${wanted}:\n${screen}`,
    );
    return screen;
  }
}
