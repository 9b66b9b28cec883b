/**
 * The real program, called many times in one process. Loading it is most of what a short command costs,
 * and a file of tests that asks for ten reports and twenty refusals would load it thirty times. Where
 * the promise is one of a process (what it is killed by, what it holds, what it reads from a pipe),
 * `program.ts` starts one of its own. The long form starts one for every call.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { LONG } from '../long.ts';
import { type Ended, NOWHERE, run } from './program.ts';
import { PROGRAM } from './terminal.ts';

interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where it is called. */
  readonly cwd?: string;
}

/** Behind what a call has written. */
const MARK = '\u0001the call has ended\u0001';

export class Calls {
  readonly #child: ChildProcess;
  readonly #written = { out: '', err: '' };
  readonly #marks: readonly ('out' | 'err')[];
  #look: () => void = () => undefined;
  #code: number | undefined;
  #before: Promise<unknown> = Promise.resolve();
  readonly #closed: Promise<unknown>;

  /** `stdout`: an open file that takes what it says, in place of who called. */
  constructor(stdout: number | 'pipe' = 'pipe') {
    const script = fileURLToPath(new URL('call-again.mjs', import.meta.url));
    this.#child = spawn(process.execPath, [script, PROGRAM, MARK], {
      env: {},
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

  #call(args: readonly string[], { env = {}, cwd = process.cwd() }: CallOptions): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const lost = (): void =>
        reject(new Error(`the program went away:\n${this.#written.err.slice(-2000)}`));
      this.#look = () => {
        const code = this.#code;
        if (code === undefined || this.#marks.some((one) => !this.#written[one].endsWith(MARK)))
          return;
        this.#child.off('close', lost);
        const [out, err] = [this.#written.out, this.#written.err].map((text) =>
          text.slice(0, -MARK.length),
        );
        Object.assign(this.#written, { out: '', err: '' });
        this.#code = undefined;
        resolve({ code, signal: null, out: out ?? '', err: err ?? '' });
      };
      this.#child.on('close', lost);
      this.#child.send({
        args,
        env: { PATH: process.env.PATH ?? '', HOME: NOWHERE, ...env },
        cwd,
      });
    });
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

let calls: Calls | undefined;
afterAll(async () => {
  await calls?.close();
  calls = undefined;
});

/** As `run` of `program.ts`, in the one process that a file of tests has for it. */
export function call(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
  if (LONG) return run(args, options);
  calls ??= new Calls();
  return calls.call(args, options);
}
