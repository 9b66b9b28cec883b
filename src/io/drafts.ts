/**
 * What a person has begun to write and not sent: a file for each text, so that it outlives a closed box,
 * the program and a crash. It may be private: only its owner can read it, and it is gone once it is sent.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText, stateFolder } from './files.ts';
import { writeOwn } from './own-file.ts';
import type { Env } from './surroundings.ts';
import { Refused } from './text-file.ts';

/** A text is written to its file at most this long after its last change. */
const PACE_MS = 200;

export class Drafts {
  readonly #folder: string;
  readonly #unwritten = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(env: Env) {
    this.#folder = join(stateFolder(env), 'drafts');
  }

  /** Empty where there is none, or none that can be read. */
  read(name: string): string {
    const unwritten = this.#unwritten.get(name);
    if (unwritten !== undefined) return unwritten;
    try {
      return readText(this.#file(name), true) ?? '';
    } catch (error) {
      if (error instanceof Refused) return '';
      throw error;
    }
  }

  /** Written soon; an empty text has no file, and is removed at once. */
  keep(name: string, text: string): void {
    if (this.#timer === undefined) process.on('exit', this.#write);
    this.#unwritten.set(name, text);
    if (text === '') this.#write();
    else {
      this.#timer ??= setTimeout(this.#write, PACE_MS);
      this.#timer.unref();
    }
  }

  /** Every text that was written for a run. */
  forget(run: string): void {
    for (const file of listed(this.#folder))
      if (file.endsWith(`${run}.txt`)) rmSync(join(this.#folder, file), { force: true });
  }

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    process.off('exit', this.#write);
    for (const [name, text] of this.#unwritten) store(this.#file(name), text);
    this.#unwritten.clear();
  };

  #file(name: string): string {
    return join(this.#folder, `${name}.txt`);
  }
}

function store(file: string, text: string): void {
  try {
    if (text === '') rmSync(file, { force: true });
    else writeOwn(file, text);
  } catch (error) {
    // A draft that cannot be kept is no reason to stop whoever writes it.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
