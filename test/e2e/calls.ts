/**
 * The real program, called many times in one process. Loading it is most of what a short command costs,
 * and a file of tests that asks for ten reports and twenty refusals would load it thirty times. Where
 * the promise is one of a process (what it is killed by, what it holds, what it reads from a pipe),
 * `program.ts` starts one of its own. The long form starts one for every call.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { LONG } from '../long.ts';
import { unsyncedEnv } from '../setup/unsynced.ts';
import { type Ended, NOWHERE, type ProgramOptions, run } from './program.ts';
import { PROGRAM } from './terminal.ts';

type CallOptions = Pick<ProgramOptions, 'env' | 'cwd' | 'input'>;

/** Behind what a call has written. */
const MARK = '\u0001the call has ended\u0001';

export class Calls {
  readonly #child: ChildProcess;
  readonly #written = { out: '', err: '' };
  readonly #marks: readonly ('out' | 'err')[];
  #look: () => void = () => undefined;
  #code: number | undefined;
  #isBusy = false;
  #before: Promise<unknown> = Promise.resolve();
  readonly #closed: Promise<unknown>;

  /** `stdout`: an open file that takes what it says, in place of who called. */
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

  /** One after the other, in the order in which they are asked for. */
  call(args: readonly string[], options: CallOptions): Promise<Ended> {
    const next = this.#before.then(() => this.#call(args, options));
    this.#before = next.catch(() => undefined);
    return next;
  }

  #call(args: readonly string[], options: CallOptions): Promise<Ended> {
    const { env = {}, cwd = process.cwd(), input } = options;
    this.#isBusy = true;
    return new Promise<Ended>((resolve, reject) => {
      const lost = (): void =>
        reject(new Error(`the program went away:\n${this.#written.err.slice(-2000)}`));
      this.#look = () => {
        const code = this.#code;
        if (code === undefined || this.#marks.some((name) => !this.#written[name].includes(MARK)))
          return;
        const late = this.#marks.map((name) => this.#written[name].split(MARK)[1]).join('');
        if (late !== '') reject(new Error(`the program wrote after its end: ${late}`));
        this.#child.off('close', lost);
        const [out, err] = [this.#written.out, this.#written.err].map(
          (text) => text.split(MARK)[0],
        );
        Object.assign(this.#written, { out: '', err: '' });
        this.#code = undefined;
        this.#isBusy = false;
        resolve({ code, signal: null, out: out ?? '', err: err ?? '' });
      };
      this.#child.on('close', lost);
      this.#child.send({
        args,
        env: { PATH: process.env.PATH ?? '', HOME: NOWHERE, ...env },
        ...{ cwd, input },
      });
    });
  }

  /** Whether it can be called and nobody waits for it. */
  get isFree(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && !this.#isBusy;
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

/** One for all files of tests that share a process: it ends with that. */
let calls: Calls | undefined;

/** As `run` of `program.ts`, in a process that has loaded the program before. */
export function call(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
  if (LONG) return run(args, options);
  calls ??= new Calls();
  const used = calls;
  // A call that never ends holds up no other test.
  onTestFinished(async () => {
    if (used.isFree) return;
    if (calls === used) calls = undefined;
    await used.close();
  });
  return used.call(args, options);
}
