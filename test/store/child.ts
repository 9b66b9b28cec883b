/** Another process of ours: a script beside the tests that speaks in lines of JSON. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export class Child {
  readonly process: ChildProcess;
  /** Every line said so far. */
  readonly lines: unknown[] = [];
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

  /** The next line it says. */
  async readLine<T>(): Promise<T> {
    while (this.#read >= this.lines.length) {
      if (this.#over) throw new Error(`the child ended without a word: ${this.#errors}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.lines[this.#read++] as T;
  }

  writeLine(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  /** kill -9; resolves when it is gone. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** `startScript(import.meta.url, './owner.ts', [file])`. What scripts compile is kept, whatever their environment. */
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
