/**
 * Stores texts that a person has begun to write and not sent, each in a file, so that it survives a closed
 * dialog, the program's end and a crash. Drafts may be private: only their owner can read them, and they
 * are deleted once sent.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText, stateFolder } from './files.ts';
import { writeOwn } from './own-file.ts';
import type { Env } from './surroundings.ts';
import { RefusedFileError } from './text-file.ts';

/** Milliseconds after its last change within which a text is written. */
const PACE_MS = 200;

/**
 * Stores texts that a person has begun to write, so that they survive a closed dialog or a crash.
 * Each draft has a name.
 */
export class Drafts {
  readonly #folder: string;
  readonly #unwritten = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(env: Env) {
    this.#folder = join(stateFolder(env), 'drafts');
  }

  /** Returns the draft of the given name; empty if there is none, or its file cannot be read. */
  read(name: string): string {
    const unwritten = this.#unwritten.get(name);
    if (unwritten !== undefined) return unwritten;
    try {
      return readText(this.#file(name), true) ?? '';
    } catch (error) {
      if (error instanceof RefusedFileError) return '';
      throw error;
    }
  }

  /**
   * Replaces the draft of the given name. Its file is written within 200 ms, or when the process exits. An
   * empty text deletes the draft at once. Errors of the file system are ignored.
   */
  keep(name: string, text: string): void {
    if (this.#timer === undefined) process.on('exit', this.#write);
    this.#unwritten.set(name, text);
    if (text === '') this.#write();
    else {
      this.#timer ??= setTimeout(this.#write, PACE_MS);
      this.#timer.unref();
    }
  }

  /** Deletes the stored drafts of a run, which are the drafts whose names end with the run's id. */
  forget(run: string): void {
    for (const name of this.#unwritten.keys()) if (name.endsWith(run)) this.#unwritten.delete(name);
    for (const file of listFiles(this.#folder))
      if (file.endsWith(`${run}.txt`)) rmSync(join(this.#folder, file), { force: true });
  }

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    process.off('exit', this.#write);
    for (const [name, text] of this.#unwritten) writeDraft(this.#file(name), text);
    this.#unwritten.clear();
  };

  #file(name: string): string {
    return join(this.#folder, `${name}.txt`);
  }
}

function writeDraft(file: string, text: string): void {
  try {
    if (text === '') rmSync(file, { force: true });
    else writeOwn(file, text);
  } catch (error) {
    // Failing to store a draft must not interrupt the person's writing.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
