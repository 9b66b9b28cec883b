/** Runs the real program without a terminal: with pipes on all three ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { unsyncedEnv } from '../setup/unsynced.ts';
import { waitUntil } from '../until.ts';
import { PROGRAM } from './terminal.ts';

/** A home folder that nobody can write to, not even root. */
export const UNWRITABLE_HOME = '/dev/null';

/** The exit code or signal with which the program ended, and its output. */
export interface ProgramResult {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null;
  /** The signal that ended the program; null if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  /** What the program wrote to standard output. */
  readonly out: string;
  /** What the program wrote to standard error. */
  readonly err: string;
}

/** How the program is started. */
export interface ProgramOptions {
  /** What the program reads from standard input. By default there is no input. */
  readonly input?: string | Buffer;
  /**
   * Variables of the environment. Besides them, the environment has PATH, an unwritable HOME, and what keeps
   * SQLite from syncing if the tests write to a disk.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder; by default that of the tests' process. */
  readonly cwd?: string;
  /** A command with its arguments that starts the program, such as `unshare`; by default Node starts it. */
  readonly through?: readonly string[];
}

/** A running program, and its output so far. It is killed after the test. */
export class Program {
  readonly child: ChildProcess;
  /** What the program has written to standard output so far. */
  out = '';
  /** What the program has written to standard error so far. */
  err = '';
  /** Resolves when the program has ended and its output is complete. */
  readonly ended: Promise<ProgramResult>;

  constructor(args: readonly string[], options: ProgramOptions = {}) {
    const { input, env = {}, cwd, through = [] } = options;
    const [command = '', ...words] = [...through, process.execPath, PROGRAM, ...args];
    this.child = spawn(command, words, {
      env: { PATH: process.env.PATH ?? '', HOME: UNWRITABLE_HOME, ...unsyncedEnv(), ...env },
      ...withoutUndefined({ cwd }),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.child.stdin?.end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code, signal) =>
        resolve({ code, signal, out: this.out, err: this.err }),
      ),
    );
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /**
   * Resolves when standard error matches.
   * @throws Error with standard error, if it does not match in time
   */
  async waitForStderr(wanted: RegExp): Promise<void> {
    await waitUntil(
      () => wanted.test(this.err),
      () => `it never said ${wanted}:\n${this.err}`,
    );
  }
}

/** Runs the program to its end. A non-zero exit code is not an error. */
export function runProgram(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Program(args, options).ended;
}
