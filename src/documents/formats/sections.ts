/** Joins the texts of slides or sheets up to the size limit, and records the first line of each. */
import { type Part, partName } from '../../text/documents/parts.ts';
import { MOST_TEXT_BYTES, type ReadText } from '../read-text.ts';

const READER = { name: 'deliberate', version: '1' };

/** Collects the lines of slides or sheets, up to the size limit of a text. */
export class Sections {
  readonly lines: string[] = [];
  readonly parts: Part[] = [];
  readonly notes: string[] = [];
  #left = MOST_TEXT_BYTES;
  readonly #taken = new Set<string>();

  /** Whether no slide or sheet has any text. */
  get isEmpty(): boolean {
    return this.lines.every((line) => line === '');
  }

  /** Whether the size limit is reached, so that no more lines can be added. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /**
   * Adds a slide or sheet, up to the size limit. Two with the same name get different names.
   *
   * @param written the name that the document gives
   * @param what the word for the lines in notes
   */
  add(written: string, lines: readonly string[], what = 'lines'): void {
    const name = partName(written, this.#taken);
    this.#taken.add(name.toLowerCase());
    if (name !== written) this.notes.push(`"${written}" is cited as ${name}`);
    this.parts.push({ name, from: this.lines.length + 1 });
    for (const [at, line] of lines.entries()) {
      this.#left -= Buffer.byteLength(line) + 1;
      if (this.#left <= 0) {
        this.notes.push(
          `of ${name} only ${at} of ${lines.length} ${what} were taken: the text of more is longer than 1 MB`,
        );
        return;
      }
      this.lines.push(line);
    }
  }
}

/**
 * Joins the collected lines to one text.
 * @param more further notes, which are put after the notes that were collected
 */
export function joinToText(
  { lines, parts, notes }: Sections,
  more: readonly string[],
): Pick<ReadText, 'text' | 'parts' | 'extractor' | 'notes'> {
  return {
    text: `${lines.join('\n')}\n`,
    parts,
    extractor: READER,
    notes: [...notes, ...more],
  };
}
