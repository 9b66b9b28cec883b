/**
 * Copies texts of the console to the clipboard and writes them to files in the current folder. The paths of
 * written files are printed as links after the console has closed, because a link inside the console would not
 * survive the cutting and comparing of rows.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outside } from '../../console/run/ports.ts';
import { copyByTool } from '../../io/clipboard.ts';
import { Drafts } from '../../io/drafts.ts';
import { workingFolder } from '../../io/files.ts';
import { writeOwn } from '../../io/own-file.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Invocation } from '../invocation.ts';

/** The clipboard and the current folder, for the exports of one run. */
export class Desktop implements Outside {
  readonly #env: Invocation['env'];
  readonly #run: string;
  readonly #drafts: Drafts;
  readonly #written = new Set<string>();

  /** @param run the run's id, used in the names of files */
  constructor({ env }: Invocation, run: string) {
    this.#env = env;
    this.#run = run;
    this.#drafts = new Drafts(env);
  }

  copy(text: string): Promise<string | undefined> {
    return copyByTool(text, this.#env);
  }

  save(name: string, text: string): Promise<string> {
    const path = join(workingFolder(), `deliberate-${shortId(this.#run)}-${slug(name)}`);
    const file = writeNew(path, '.md', text);
    this.#written.add(file);
    return Promise.resolve(file);
  }

  draft(box: string): string {
    return this.#drafts.read(`${box}-${this.#run}`);
  }

  keepDraft(box: string, text: string): void {
    this.#drafts.keep(`${box}-${this.#run}`, text);
  }

  /** Writes a file named after the run, replacing an earlier one of the same run. Returns its path. */
  write(ending: string, text: string): string {
    const file = join(workingFolder(), `deliberate-${shortId(this.#run)}${ending}`);
    writeOwn(file, text);
    return this.wrote(file);
  }

  /** Remembers a written path, to be printed at the end. Returns it. */
  wrote(path: string): string {
    this.#written.add(path);
    return path;
  }

  /** Formats `wrote PATH`, one line for each file, with links if the reader is a terminal. */
  lines(isTerminal: boolean): string {
    return [...this.#written]
      .map((file) => `wrote ${isTerminal ? link(file) : sanitise(file)}\n`)
      .join('');
  }
}

/** How many names are tried before giving up. */
const MOST = 1000;

/** Writes a new file `name.md`, or `name-2.md` and so on if that exists. Returns its path. */
function writeNew(path: string, extension: string, text: string): string {
  for (let number = 1; number <= MOST; number += 1) {
    const file = `${path}${number === 1 ? '' : `-${number}`}${extension}`;
    try {
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
      return file;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  throw new DeliberateError('too-many-files', `${path}${extension} and ${MOST} more already exist`);
}

/**
 * Converts a name to a form that is safe in file names. Ids are slugs, but the name of a preset may be
 * anything.
 */
function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
}

/**
 * Makes an OSC 8 link. The address is percent-encoded and the text is clean, so no file name can end the
 * sequence.
 */
function link(file: string): string {
  return `\u001b]8;;${pathToFileURL(file).href}\u001b\\${sanitise(file)}\u001b]8;;\u001b\\`;
}
