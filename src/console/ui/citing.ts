/**
 * Lists places in the attachments that a text cites, or all attachments, and shows the lines at each. Whether
 * the lines exist was checked before (`text/citations.ts`); here a person can read them. Records that the text
 * names are listed below and can be opened.
 */

import { type Citation, citationsIn, citedLines, lineCount } from '../../text/citations.ts';
import { type Attachment, formatAttachmentSize, partsOf } from '../../text/documents/attachment.ts';
import { formatPartName, type Part, partOf } from '../../text/documents/parts.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandFor } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Dialog, DialogArea, Hints } from './component.ts';
import { type List, listOf } from './list.ts';
import { rowAfterMove } from './scroll.ts';

/** What can be chosen, with its heading. */
interface Places {
  readonly title: string;
  readonly places: readonly Place[];
}

type Place = {
  /** The label in the list. */
  readonly label: string;
} & ({ readonly citation: Citation } | { readonly record: Mention });

/** A record, such as a claim, whose id occurs in a text. */
export interface Mention {
  readonly id: string;
  /** What the record says, in a phrase; for an unknown id, that there is no such record. */
  readonly words: string;
  /** Whether there is a record with that id. */
  readonly exists: boolean;
}

/**
 * The most lines of a cited range, and the most characters of a line, that are shown. Attachments are not under
 * our control.
 */
const MOST_LINES = 2_000;
const LONGEST_LINE = 4_000;

/** The most rows of the list or of the lines. */
const MOST_ROWS = 24;

/**
 * A dialog that lists the lines of attachments that a text cites, and the records, such as claims, whose
 * ids occur in the text. Enter shows the cited lines, or opens the record.
 */
export class Citing implements Dialog {
  readonly width = 100;
  readonly hints: Hints = { accept: 'open', 'previous next': 'other', cancel: 'back' };
  readonly #places: readonly Place[];
  readonly #heading: string;
  readonly #attachments: readonly Attachment[];
  readonly #keymap: Keymap;
  readonly #open: (record: string) => void;
  readonly #list: List;
  #at = 0;
  /** The first row of the lines that are shown; undefined: the list is shown. */
  #top: number | undefined;
  /** The height at the last drawing, in rows. */
  #height = MOST_ROWS;
  #laidOut: { readonly key: string; readonly rows: readonly string[] } = { key: '', rows: [] };

  /**
   * Creates the dialog.
   *
   * @param open opens a record by its id
   */
  constructor(
    { title, places }: Places,
    attachments: readonly Attachment[],
    keymap: Keymap,
    open: (record: string) => void,
  ) {
    this.#places = places;
    this.#heading = title;
    this.#attachments = attachments;
    this.#keymap = keymap;
    this.#open = open;
    this.#list = listOf(
      places.map((place) => ({
        value: 'citation' in place ? place.citation.ref : place.record.id,
        label: place.label,
        ...(existsAt(place) ? {} : { tone: 'red' as const }),
      })),
    );
  }

  /** The citation under the cursor; undefined on a record. */
  get #citation(): Citation | undefined {
    const place = this.#places[this.#at];
    return place !== undefined && 'citation' in place ? place.citation : undefined;
  }

  get title(): string {
    const citation = this.#citation;
    if (this.#top === undefined || citation === undefined) return this.#heading;
    const below = Math.max(0, this.#laidOut.rows.length - this.#top - this.#height);
    return below > 0 ? `${citation.ref} · ${below} more below` : citation.ref;
  }

  /**
   * Handles a key; the keys for reading texts work in the list, too. Returns false if the dialog should
   * close, as after opening a record.
   */
  key(key: string): boolean {
    const command = commandFor(this.#keymap, key);
    if (command === 'quit') return false;
    const reading = this.#top !== undefined;
    const end = reading
      ? Math.max(0, this.#laidOut.rows.length - this.#height)
      : this.#places.length - 1;
    const to = rowAfterMove(this.#top ?? this.#at, command, end, this.#height);
    if (!reading) this.#at = to;
    else this.#top = key === 'backspace' ? undefined : to;
    if (reading || key !== 'enter') return true;
    const place = this.#places[this.#at];
    if (place === undefined || !existsAt(place)) return true;
    if ('citation' in place) {
      this.#top = 0;
      return true;
    }
    this.#open(place.record.id);
    return false;
  }

  /** Returns from the cited lines to the list. Returns false if the list is shown. */
  back(): boolean {
    const reading = this.#top !== undefined;
    this.#top = undefined;
    return reading;
  }

  /** Draws the visible part of the cited lines; nothing while the list is shown. */
  render({ cells, height }: DialogArea): string[] {
    this.#height = Math.max(1, Math.min(MOST_ROWS, height));
    const citation = this.#citation;
    if (citation === undefined || this.#top === undefined) return [];
    const key = `${citation.ref} ${cells}`;
    if (this.#laidOut.key !== key) this.#laidOut = { key, rows: this.#layOut(citation, cells) };
    return this.#laidOut.rows.slice(this.#top, this.#top + this.#height);
  }

  list(): { list: List; height: number } | undefined {
    if (this.#top !== undefined) return undefined;
    return {
      list: { ...this.#list, at: this.#at },
      height: Math.min(this.#places.length, this.#height),
    };
  }

  #layOut({ name, from, to }: Citation, width: number): string[] {
    const attachment = this.#attachments.find((attachment) => attachment.name === name);
    if (attachment === undefined) return [];
    const last = Math.min(to, from + MOST_LINES - 1);
    const parts = partsOf(attachment);
    const lines = citedLines(attachment, from, last);
    const numbers = lines.map((_, index) => numberIn(from + index, parts));
    const digits = Math.max(1, ...numbers.map(({ length }) => length));
    const rows = lines.flatMap((line, index) => {
      const text = sanitiseText(line.slice(0, LONGEST_LINE));
      const shown = wrapPlain(text, Math.max(1, width - digits - 2)).map((words, row) => {
        const number = row === 0 ? numbers[index]?.padStart(digits) : ' '.repeat(digits);
        return `${number}  ${words}`;
      });
      const part = partOf(from + index, parts);
      const isFirst = part !== undefined && (index === 0 || part.from === from + index);
      return isFirst ? [`── ${formatPartName(part.name)} ──`, ...shown] : shown;
    });
    if (from === 1 && last === to)
      for (const note of attachment.source?.notes ?? []) rows.push(`(${toLine(note)})`);
    if (last < to) rows.push(`${to - last} more lines not shown.`);
    return rows;
  }
}

/** Returns the number of a line, counted within its page or sheet if the document has some. */
function numberIn(line: number, parts: readonly Part[]): string {
  const part = partOf(line, parts);
  return `${part === undefined ? line : line - part.from + 1}`;
}

function existsAt(place: Place): boolean {
  return 'citation' in place ? place.citation.ok : place.record.exists;
}

/**
 * Finds the lines of attachments that a text cites, each place once, and lists them together with the
 * records that the caller has found in the text. Returns undefined if there is neither.
 * @param whose the heading of the text, such as its author
 * @param named the records whose ids occur in the text
 */
export function findCitations(
  whose: string,
  text: string,
  attachments: readonly Attachment[],
  named: readonly Mention[] = [],
): Places | undefined {
  const times = new Map<string, number>();
  const cited = citationsIn(text, attachments).filter(({ ref }) => {
    const before = times.get(ref) ?? 0;
    times.set(ref, before + 1);
    return before === 0;
  });
  if (cited.length + named.length === 0) return undefined;
  const parts = withoutFalse([
    cited.length !== 0 &&
      `Cites ${formatCount(cited.length, 'place')}: ${missingWords(cited.map(({ ok }) => ok))}`,
    named.length !== 0 &&
      `${cited.length === 0 ? 'Names' : 'names'} ${formatCount(named.length, 'record')}: ${missingWords(named.map(({ exists }) => exists))}`,
  ]);
  return {
    title: `${parts.join('; ')} · ${whose}`,
    places: [
      ...cited.map((citation) => ({
        citation,
        label: citedWords(citation, times.get(citation.ref) ?? 1),
      })),
      ...named.map((record) => ({
        record,
        label: toLine(`${record.exists ? '✓' : '✗'} ${record.id} ${record.words}`),
      })),
    ],
  };
}

/** Returns `all exist` or `2 do not exist`. */
function missingWords(exist: readonly boolean[]): string {
  const missing = exist.filter((isThere) => !isThere).length;
  return missing === 0 ? 'all exist' : `${missing} ${missing === 1 ? 'does' : 'do'} not exist`;
}

/** Returns all attachments as places to read, each from its first to its last line. */
export function listAttachments(attachments: readonly Attachment[]): Places {
  return {
    title: formatCount(attachments.length, 'attachment'),
    places: attachments.map((attachment) => {
      const { name } = attachment;
      const to = lineCount(attachment);
      return {
        citation: { ref: `attachments/${name}`, start: 0, end: 0, name, from: 1, to, ok: true },
        label: formatAttachment(attachment),
      };
    }),
  };
}

/**
 * Formats an attachment: `design.md, 210 lines`.
 *
 * @param marks characters to put around the name
 */
export function formatAttachment(attachment: Attachment, marks = ''): string {
  const name = toLine(attachment.name);
  const shown = marks === '' ? name : `${marks}${name.replaceAll(marks, "'")}${marks}`;
  return `${shown}, ${formatAttachmentSize(attachment)}`;
}

/**
 * Formats a citation: `✓ attachments/a.md#L3` or `✗ attachments/a.md#L300  does not exist: a.md has 210 lines`.
 */
function citedWords({ ref, ok, why }: Citation, times: number): string {
  const often = times > 1 ? ` (${times} times)` : '';
  return toLine(`${ok ? '✓' : '✗'} ${ref}${often}${ok ? '' : `  does not exist: ${why}`}`);
}
