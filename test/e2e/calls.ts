/**
 * The real build, without a start for each call: one process for a file of tests, which calls the
 * program's `main` with one command line after the other, each with its environment, its folder and
 * what it says. A start is most of what a short command costs. For promises about what a command says
 * and leaves behind, as the program's modules keep nothing from one call to the next; what is promised
 * of a process (signals, pipes, terminals, what outlives it) is tried with `run` of program.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { type Ended, NOWHERE, type ProgramOptions } from './program.ts';
import { PROGRAM } from './terminal.ts';

type Call = Pick<ProgramOptions, 'env' | 'cwd' | 'input'>;
type Outcome = Pick<Ended, 'code' | 'signal'>;

class Callee {
  readonly #place = mkdtempSync(join(tmpdir(), 'deliberate-calls-'));
  readonly #files = ['out', 'err'].map((name) => join(this.#place, name));
  readonly #child: ChildProcess;
  readonly #over: Promise<Outcome>;
  #told: (code: number) => void = () => undefined;
  isOver = false;
  isBusy = false;

  constructor() {
    const [out = 0, err = 0] = this.#files.map((file) => openSync(file, 'a'));
    const script = fileURLToPath(new URL('calls.mjs', import.meta.url));
    this.#child = spawn(process.execPath, [script, PROGRAM], {
      stdio: ['ignore', out, err, 'ipc'],
      env: {},
    });
    for (const file of [out, err]) closeSync(file);
    this.#child.on('message', (code: number) => this.#told(code));
    this.#over = new Promise((resolve) =>
      this.#child.once('exit', (code, signal) => {
        this.isOver = true;
        resolve({ code, signal });
      }),
    );
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#over;
    rmSync(this.#place, { recursive: true, force: true });
  }

  async call(
    args: readonly string[],
    { env = {}, cwd = process.cwd(), input }: Call,
  ): Promise<Ended> {
    this.isBusy = true;
    const told = new Promise<Outcome>((resolve) => {
      this.#told = (code) => resolve({ code, signal: null });
    });
    const all = { PATH: process.env.PATH ?? '', HOME: NOWHERE, ...env };
    this.#child.send({ args, cwd, input, env: all });
    const outcome = await Promise.race([told, this.#over]);
    this.isBusy = false;
    const [out = '', err = ''] = this.#files.map((file) => readFileSync(file, 'utf8'));
    for (const file of this.#files) truncateSync(file);
    return { ...outcome, out, err };
  }
}

let callee: Callee | undefined;
let last: Promise<unknown> = Promise.resolve();

afterAll(() => callee?.end());

/** Calls the program with these words; one call after the other. */
export function call(args: readonly string[], options: Call = {}): Promise<Ended> {
  // Who never answers holds up no other test.
  onTestFinished(() => (callee?.isBusy ? callee.end() : undefined));
  const ended = last.then(async () => {
    if (callee?.isOver) await callee.end();
    if (callee === undefined || callee.isOver) callee = new Callee();
    return callee.call(args, options);
  });
  last = ended.catch(() => undefined);
  return ended;
}
