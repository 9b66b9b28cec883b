/** A copy of the sources in which tests change files, check types, and build and start the program. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(ROOT, 'node_modules/.bin');
const PARTS = ['bin', 'src', 'presets', 'docs/schemas', 'package.json', 'tsconfig.json'];
/** The folders of which only the TypeScript files are copied, since their imports are checked. */
const CODE = ['test', 'bench', 'docs'];

/** A copy of the sources in a temporary folder. The caller removes it. */
export class Sources {
  /** The folder of the copy. */
  readonly folder: string = mkdtempSync(join(tmpdir(), 'sources-'));
  /**
   * The environment of the program: `PATH`, the variables given to the constructor, and a home folder and
   * database in the copy.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly #changed = new Set<string>();

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      DELIBERATE_DB: join(this.folder, 'runs.db'),
      ...env,
    };
    for (const part of PARTS)
      cpSync(join(ROOT, part), join(this.folder, part), { recursive: true });
    for (const part of CODE)
      cpSync(join(ROOT, part), join(this.folder, part), {
        recursive: true,
        filter: (path) => /\.tsx?$/.test(path) || statSync(path).isDirectory(),
      });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.put('tsconfig.src.json', '{ "extends": "./tsconfig.json", "include": ["src", "docs"] }');
  }

  /** Removes the copy. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes a file of the copy, which may be new. `file` is a path in the copy. */
  put(file: string, text: string): void {
    this.#changed.add(file);
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** Follows recipes, and returns the files that they write or edit, sorted. */
  listChangedBy(...recipes: readonly ((copy: Sources) => void)[]): string[] {
    this.#changed.clear();
    for (const recipe of recipes) recipe(this);
    return [...this.#changed].sort();
  }

  /** Returns the text of a file of the copy. */
  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Replaces the text `there` in a file of the copy. The test fails unless the text occurs exactly once. */
  edit(file: string, there: string, instead: string): void {
    const text = this.read(file);
    expect(text.split(there), `${there} in ${file}`).toHaveLength(2);
    this.#changed.add(file);
    writeFileSync(
      join(this.folder, file),
      text.replace(there, () => instead),
    );
  }

  /** Returns the files of `src` and `docs` in which the TypeScript compiler reports errors, sorted. */
  async listIncomplete(): Promise<string[]> {
    const args = ['--pretty', 'false', '--incremental', '--singleThreaded'];
    const { stdout } = await this.#tool('tsc', [...args, '-p', 'tsconfig.src.json']).catch(
      (error: { stdout: string }) => error,
    );
    const files = [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
    return [...new Set(files)].sort();
  }

  /** Builds the program as `npm run build` does, without the published types. */
  async build(): Promise<void> {
    await run(process.execPath, ['bench/build/main.ts'], { cwd: this.folder });
  }

  /**
   * Runs the built program and returns its output.
   *
   * @throws Error if the program fails
   */
  async deliberate(...args: string[]): Promise<string> {
    const words = ['bin/deliberate.js', ...args];
    return (await run(process.execPath, words, { cwd: this.folder, env: this.env })).stdout;
  }

  /**
   * Runs a script of the copy and returns its output.
   *
   * @throws Error if the script fails
   */
  async script(file: string): Promise<string> {
    return (await run(process.execPath, [file], { cwd: this.folder })).stdout;
  }

  #tool(command: string, args: readonly string[]): Promise<{ stdout: string }> {
    const PATH = [TOOLS, process.env.PATH].join(delimiter);
    // Switch the compiler's garbage collection off: it takes half of the time, and the compiler ends before
    // it runs out of memory.
    const env = { ...process.env, PATH, GOGC: 'off' };
    return run(command, args, { cwd: this.folder, env });
  }
}
