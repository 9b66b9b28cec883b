/**
 * Copies text out of the console in two ways at once, because neither is reliable: through the terminal (OSC
 * 52), which works over ssh but is not supported everywhere and reports nothing; and through the platform's
 * clipboard tool, if there is one.
 */

import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import type { LiveRun } from '../model/live-run.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { addHead, type Copyable } from './copyable.ts';
import type { SystemAccess } from './ports.ts';

/** The most bytes of text that terminals accept: 74,994 bytes of base64, the limit of xterm and hterm. */
const TERMINAL_BYTES = Math.floor(74_994 / 4) * 3;

/** What came of copying a text to the clipboard or saving it to a file. */
export interface CopyOutcome {
  /** A sentence for the person. */
  readonly words: string;
  /** Whether saving failed, or only the beginning of the text was copied. */
  readonly bad: boolean;
}

const NOTHING: CopyOutcome = { words: 'No text to copy here.', bad: false };

/** Copies texts of a run to the clipboard and saves them to files. */
export class Copying {
  readonly #runModel: LiveRun;
  readonly #outside: SystemAccess;
  readonly #screen: Screen;

  constructor(runModel: LiveRun, outside: SystemAccess, screen: Screen) {
    this.#runModel = runModel;
    this.#outside = outside;
    this.#screen = screen;
  }

  /**
   * Copies a text to the clipboard.
   *
   * @param copyable the text; undefined if there is nothing to copy
   * @param whole whether to add the title and the question above the text
   */
  async copy(copyable: Copyable | undefined, whole: boolean): Promise<CopyOutcome> {
    if (copyable === undefined) return NOTHING;
    const text = whole ? addHead(copyable, this.#runModel) : copyable.markdown.trim();
    return copyToClipboard(text, copyable.title, this.#outside, this.#screen);
  }

  /** Saves a text, with its title and the run's question above it, to a new file in the current folder. */
  async save(copyable: Copyable | undefined): Promise<CopyOutcome> {
    if (copyable === undefined) return NOTHING;
    try {
      const path = await this.#outside.save(copyable.name, addHead(copyable, this.#runModel));
      return { words: `Saved to ${toLine(path)}`, bad: false };
    } catch (error) {
      return { words: `Not saved: ${messageOf(error)}`, bad: true };
    }
  }
}

/**
 * Copies a text to the clipboard: through the terminal and also, if the system has a clipboard tool,
 * with that. The terminal gets only the beginning of a long text. If the clipboard tool fails, the
 * outcome says so.
 *
 * @param title what the text is, in one line
 */
export async function copyToClipboard(
  text: string,
  title: string,
  outside: Pick<SystemAccess, 'copy'>,
  screen: Pick<Screen, 'write'>,
): Promise<CopyOutcome> {
  const sent = cutToBytes(text, TERMINAL_BYTES);
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

/** Returns the OSC 52 sequence, ended by BEL, which all terminals accept; base64 cannot contain its end. */
function clipboardSequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`;
}

/** Returns as much of the beginning of a text as fits into `bytes` bytes of UTF-8. No character is cut. */
export function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text, 'utf8');
  if (encoded.length <= bytes) return text;
  let end = bytes;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}

/** Formats a size: `412 words, 2.4 kB`. */
function sizeOf(text: string): string {
  const bytes = Buffer.byteLength(text, 'utf8');
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  return `${formatCount(words, 'word')}, ${bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`}`;
}
