/**
 * Copies texts of the console to the clipboard and writes them to files in the current folder. The paths of
 * written files are printed as links after the console has closed, because a link inside the console would not
 * survive the cutting and comparing of rows.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SystemAccess } from '../../console/run/ports.ts';
import { copyByTool } from '../../io/clipboard.ts';
import { Drafts } from '../../io/drafts.ts';
import { workingFolder } from '../../io/files.ts';
import { writeOwn } from '../../io/own-file.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import type { Invocation } from '../invocation.ts';

/** Gives the console access to the clipboard, to files in the current folder, and to drafts. */
export class Desktop implements SystemAccess {
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

  /**
   * Copies a text to the clipboard. Resolves to the name of the tool that was used; undefined if
   * there is none.
   */
  copy(text: string): Promise<string | undefined> {
    return copyByTool(text, this.#env);
  }

  /**
   * Writes a new Markdown file in the current folder, named after the run and `name`; no existing
   * file is replaced. Resolves to the file's path.
   */
  save(name: string, text: string): Promise<string> {
    const path = join(workingFolder(), `deliberate-${shortId(this.#run)}-${toSlug(name)}`);
    const file = writeNew(path, '.md', text);
    this.#written.add(file);
    return Promise.resolve(file);
  }

  /** Returns the stored draft of the text field named `box`; empty if there is none. */
  draft(box: string): string {
    return this.#drafts.read(`${box}-${this.#run}`);
  }

  /** Stores the draft of the text field named `box`. */
  keepDraft(box: string, text: string): void {
    this.#drafts.keep(`${box}-${this.#run}`, text);
  }

  /**
   * Writes a file in the current folder, whose name is that of the run followed by `ending`. An
   * earlier file of that name is replaced. Returns the file's path.
   */
  write(ending: string, text: string): string {
    const file = join(workingFolder(), `deliberate-${shortId(this.#run)}${ending}`);
    writeOwn(file, text);
    return this.wrote(file);
  }

  /** Remembers the path of a written file, so that `lines` lists it. Returns the path. */
  wrote(path: string): string {
    this.#written.add(path);
    return path;
  }

  /** Formats a line `wrote PATH` for each written file. On a terminal the paths are links. */
  lines(isTerminal: boolean): string {
    return [...this.#written]
      .map((file) => `wrote ${isTerminal ? formatLink(file) : sanitiseText(file)}\n`)
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
function toSlug(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
}

/**
 * Makes an OSC 8 link. The address is percent-encoded and the text is clean, so no file name can end the
 * sequence.
 */
function formatLink(file: string): string {
  return `\u001b]8;;${pathToFileURL(file).href}\u001b\\${sanitiseText(file)}\u001b]8;;\u001b\\`;
}
