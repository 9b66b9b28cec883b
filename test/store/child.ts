/** A child process that runs a script of the tests, which prints a JSON value on each line. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A child process, which is killed after the test. */
export class Child {
  readonly process: ChildProcess;
  /** The values of all lines that the child has printed so far, in order. */
  readonly lines: unknown[] = [];
  /** Resolves with the exit code or the signal when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #waiting: (() => void)[] = [];
  #read = 0;
  #errors = '';
  #over = false;

  constructor(command: string, args: readonly string[], options: SpawnOptions = {}) {
    this.process = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    let rest = '';
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts.map((line) => JSON.parse(line) as unknown));
      this.#wake();
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.ended = new Promise((resolve) =>
      this.process.on('close', (code, signal) => {
        this.#over = true;
        this.#wake();
        resolve({ code, signal });
      }),
    );
    onTestFinished(async () => {
      this.process.kill('SIGKILL');
      await this.ended;
    });
  }

  /**
   * Resolves with the value of the next line that was not read yet.
   * @throws Error with standard error, if the child ends without another line
   */
  async readLine<T>(): Promise<T> {
    while (this.#read >= this.lines.length) {
      if (this.#over) throw new Error(`the child ended without a word: ${this.#errors}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.lines[this.#read++] as T;
  }

  /** Writes a line to the standard input of the child. */
  writeLine(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  /** Kills the child and resolves when it has ended. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/**
 * Starts a script beside a test in a process of its own: `startScript(import.meta.url, './owner.ts',
 * [file])`. `options` can give the process another environment; compiled scripts are still cached in the
 * folder of this process.
 */
export function startScript(
  from: string,
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Child {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { NODE_COMPILE_CACHE, ...(options.env ?? process.env) };
  const file = fileURLToPath(new URL(script, from));
  return new Child(process.execPath, [file, ...args], { ...options, env });
}
