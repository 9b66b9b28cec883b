/**
 * Calls the real program many times in one process, since loading the program is most of the time of a short
 * command. Tests of the process itself (its signals, its pipes) start a process with `program.ts`. In the
 * long form of the tests, every call has a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { LONG } from '../long.ts';
import { unsyncedEnv } from '../setup/unsynced.ts';
import { type ProgramOptions, type ProgramResult, runProgram, UNWRITABLE_HOME } from './program.ts';
import { PROGRAM } from './terminal.ts';

type CallOptions = Pick<ProgramOptions, 'env' | 'cwd' | 'input'>;

/** The line that marks the end of the output of a call. */
const MARK = '\u0001the call has ended\u0001';

/** A process that runs calls of the program one after the other. */
export class CallProcess {
  readonly #child: ChildProcess;
  readonly #written = { out: '', err: '' };
  readonly #marks: readonly ('out' | 'err')[];
  #look: () => void = () => undefined;
  #code: number | undefined;
  #isBusy = false;
  #before: Promise<unknown> = Promise.resolve();
  readonly #closed: Promise<unknown>;

  /**
   * Starts the process. If `stdout` is an open file, the calls write their standard output there, and return an
   * empty one. By default each call returns its own output.
   */
  constructor(stdout: number | 'pipe' = 'pipe') {
    const script = fileURLToPath(new URL('call-again.mjs', import.meta.url));
    this.#child = spawn(process.execPath, [script, PROGRAM, MARK], {
      env: { ...unsyncedEnv() },
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
    });
    this.#marks = stdout === 'pipe' ? ['out', 'err'] : ['err'];
    for (const [name, stream] of [
      ['out', this.#child.stdout],
      ['err', this.#child.stderr],
    ] as const)
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written[name] += text;
        this.#look();
      });
    this.#child.on('message', ({ code }: { code: number }) => {
      this.#code = code;
      this.#look();
    });
    this.#closed = new Promise((resolve) => this.#child.on('close', resolve));
  }

  /**
   * Runs a call after all earlier calls have ended, and resolves with its exit code and output. Rejects if the
   * process ends during the call, or if the call writes something after its end.
   */
  call(args: readonly string[], options: CallOptions): Promise<ProgramResult> {
    const next = this.#before.then(() => this.#call(args, options));
    this.#before = next.catch(() => undefined);
    return next;
  }

  #call(args: readonly string[], options: CallOptions): Promise<ProgramResult> {
    const { env = {}, cwd = process.cwd(), input } = options;
    this.#isBusy = true;
    return new Promise<ProgramResult>((resolve, reject) => {
      const rejectCall = (): void =>
        reject(new Error(`the program went away:\n${this.#written.err.slice(-2000)}`));
      this.#look = () => {
        const code = this.#code;
        if (code === undefined || this.#marks.some((name) => !this.#written[name].includes(MARK)))
          return;
        const late = this.#marks.map((name) => this.#written[name].split(MARK)[1]).join('');
        if (late !== '') reject(new Error(`the program wrote after its end: ${late}`));
        this.#child.off('close', rejectCall);
        const [out, err] = [this.#written.out, this.#written.err].map(
          (text) => text.split(MARK)[0],
        );
        Object.assign(this.#written, { out: '', err: '' });
        this.#code = undefined;
        this.#isBusy = false;
        resolve({ code, signal: null, out: out ?? '', err: err ?? '' });
      };
      this.#child.on('close', rejectCall);
      this.#child.send({
        args,
        env: { PATH: process.env.PATH ?? '', HOME: UNWRITABLE_HOME, ...env },
        cwd,
        input,
      });
    });
  }

  /** Returns whether the process lives and runs no call. */
  get isFree(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#isBusy;
  }

  /** Kills the process and resolves when it has ended. */
  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

/** The process for all test files of a worker. It ends with the worker. */
let calls: CallProcess | undefined;

/**
 * Runs the program to its end like `runProgram` of `program.ts`, but in a process that has loaded the
 * program before. A call that is still running at the end of the test is killed. In the long form of the tests
 * this function is `runProgram`.
 */
export function runDeliberate(
  args: readonly string[],
  options: CallOptions = {},
): Promise<ProgramResult> {
  if (LONG) return runProgram(args, options);
  calls ??= new CallProcess();
  const used = calls;
  // If a call is still running when its test ends, end the process, so that the next test starts a new process.
  onTestFinished(async () => {
    if (used.isFree) return;
    if (calls === used) calls = undefined;
    await used.close();
  });
  return used.call(args, options);
}
