/** A copy of the sources in which tests change files, check the types, and build and start the program. */
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
/** Whose code alone is needed: it is asked what it imports. */
const CODE = ['test', 'bench', 'docs'];

export class Sources {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'sources-'));
  /** For the program, of which nothing is elsewhere then. */
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

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  put(file: string, text: string): void {
    this.#changed.add(file);
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** Follows recipes. Returns the files that they put or edit, in order. */
  listChangedBy(...recipes: readonly ((copy: Sources) => void)[]): string[] {
    this.#changed.clear();
    for (const recipe of recipes) recipe(this);
    return [...this.#changed].sort();
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Puts text in place of what stands there exactly once. */
  edit(file: string, there: string, instead: string): void {
    const text = this.read(file);
    expect(text.split(there), `${there} in ${file}`).toHaveLength(2);
    this.#changed.add(file);
    writeFileSync(
      join(this.folder, file),
      text.replace(there, () => instead),
    );
  }

  /** The files in which types are missing something, in order. */
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

  /** What the program prints. @throws where it fails. */
  async deliberate(...args: string[]): Promise<string> {
    const words = ['bin/deliberate.js', ...args];
    return (await run(process.execPath, words, { cwd: this.folder, env: this.env })).stdout;
  }

  /** What one of the sources' own scripts prints. */
  async script(file: string): Promise<string> {
    return (await run(process.execPath, [file], { cwd: this.folder })).stdout;
  }

  #tool(command: string, args: readonly string[]): Promise<{ stdout: string }> {
    const PATH = [TOOLS, process.env.PATH].join(delimiter);
    // Switch garbage collection off: it takes half of the compiler's time, and these programs end
    // before it would pay.
    const env = { ...process.env, PATH, GOGC: 'off' };
    return run(command, args, { cwd: this.folder, env });
  }
}
