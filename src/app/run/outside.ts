/**
 * What the console's texts are taken out to: the platform's clipboard and files in the current folder.
 * The paths that were written are told once more after the console's screen is gone, as links: inside
 * it a link would have to survive cutting and comparing of rows, and a path there is only a notice.
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

export class Desktop implements Outside {
  readonly #env: Invocation['env'];
  readonly #run: string;
  readonly #drafts: Drafts;
  readonly #written = new Set<string>();

  /** `run`: the id that names the files. */
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

  /** Writes a file named after the run; the same run's older one is replaced. */
  write(ending: string, text: string): string {
    const file = join(workingFolder(), `deliberate-${shortId(this.#run)}${ending}`);
    writeOwn(file, text);
    return this.wrote(file);
  }

  /** Told once more at the end. Returns the path. */
  wrote(path: string): string {
    this.#written.add(path);
    return path;
  }

  /** `wrote PATH`, a line a file, each path a link where the reader is a terminal. */
  lines(isTerminal: boolean): string {
    return [...this.#written]
      .map((file) => `wrote ${isTerminal ? link(file) : sanitise(file)}\n`)
      .join('');
  }
}

/** How many names are tried: beyond that something else is wrong. */
const MOST = 1000;

/** Writes a file that did not exist: `name.md`, else `name-2.md` and so on. */
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

/** Ids are slugs, but a preset's may be anything. */
function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
}

/** OSC 8. The address is percent-encoded, the text is clean: no file name can end the sequence. */
function link(file: string): string {
  return `\u001b]8;;${pathToFileURL(file).href}\u001b\\${sanitise(file)}\u001b]8;;\u001b\\`;
}
