/**
 * Taking a passage out of the console. It goes two ways at once, because neither can be relied on:
 * through the terminal (OSC 52), which reaches the person's own clipboard over ssh but is not heeded
 * everywhere and answers nothing; and to the platform's tool where there is one.
 */

import { line } from '../../text/line.ts';
import { plural } from '../../text/numbers.ts';
import type { LiveRun } from '../model/live-run.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { addHead, type Copyable } from './copyable.ts';
import type { Outside } from './ports.ts';

/** Terminals take up to 74,994 bytes of base64 (the limit that xterm and hterm have); here as text. */
const TERMINAL_BYTES = Math.floor(74_994 / 4) * 3;

/** What came of it, for the person. */
export interface CopyOutcome {
  readonly words: string;
  readonly bad: boolean;
}

const NOTHING: CopyOutcome = { words: 'No text to copy here.', bad: false };

export class Copying {
  readonly #runModel: LiveRun;
  readonly #outside: Outside;
  readonly #screen: Screen;

  constructor(runModel: LiveRun, outside: Outside, screen: Screen) {
    this.#runModel = runModel;
    this.#outside = outside;
    this.#screen = screen;
  }

  /** `whole`: with the heading that says whose words these are and what was asked. */
  async copy(copyable: Copyable | undefined, whole: boolean): Promise<CopyOutcome> {
    if (copyable === undefined) return NOTHING;
    const text = whole ? addHead(copyable, this.#runModel) : copyable.markdown.trim();
    return copyOut(text, copyable.title, this.#outside, this.#screen);
  }

  /** Writes a file of its own. */
  async save(copyable: Copyable | undefined): Promise<CopyOutcome> {
    if (copyable === undefined) return NOTHING;
    try {
      const path = await this.#outside.save(copyable.name, addHead(copyable, this.#runModel));
      return { words: `Saved to ${line(path)}`, bad: false };
    } catch (error) {
      return { words: `Not saved: ${messageOf(error)}`, bad: true };
    }
  }
}

/** `title`: what it is, in one clean line. */
export async function copyOut(
  text: string,
  title: string,
  outside: Pick<Outside, 'copy'>,
  screen: Pick<Screen, 'write'>,
): Promise<CopyOutcome> {
  const sent = headOf(text, TERMINAL_BYTES);
  const isCut = sent.length < text.length;
  screen.write(clipboardSequence(sent));
  let tool: string | undefined;
  let failure = '';
  try {
    tool = await outside.copy(text);
  } catch (error) {
    failure = ` (${messageOf(error)})`;
  }
  const what = `${title}: ${sizeOf(text)}`;
  if (tool !== undefined)
    return { words: `Copied by ${tool}${isCut ? '' : ' and the terminal'}. ${what}`, bad: false };
  if (!isCut)
    return {
      words: `Copied through the terminal, if it supports that${failure}. ${what}`,
      bad: false,
    };
  return {
    words: `Only the first ${sizeOf(sent)} of ${sizeOf(text)} copied: the terminal's limit${failure}.`,
    bad: true,
  };
}

/** OSC 52, ended by BEL as every terminal that knows it takes it; base64 cannot end it early. */
function clipboardSequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`;
}

/** The beginning of a text in at most so many bytes of UTF-8, never half a character. */
export function headOf(text: string, bytes: number): string {
  const encoded = Buffer.from(text, 'utf8');
  if (encoded.length <= bytes) return text;
  let end = bytes;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}

/** `412 words, 2.4 kB` */
function sizeOf(text: string): string {
  const bytes = Buffer.byteLength(text, 'utf8');
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  return `${plural(words, 'word')}, ${bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`}`;
}
