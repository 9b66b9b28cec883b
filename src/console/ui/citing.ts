/**
 * What a text cites of the attachments, as a list, and the lines behind each citation. Whether lines
 * exist was checked by code (`records/citations.ts`); here a person can read them.
 */

import { type Attachment, type Citation, citationsIn, linesOf } from '../../text/citations.ts';
import { plural } from '../../text/figures.ts';
import { sanitise } from '../../text/sanitise.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandFor } from '../keys/bindings.ts';
import type { Keymap } from '../keys/keymap.ts';
import { cleanLine } from '../terminal/door.ts';
import type { Dialog, Hints, Room } from './component.ts';
import { type List, listOf } from './list.ts';
import { movedTo } from './scroll.ts';

/** A citation and how often the text makes it. */
interface Cited {
  readonly citation: Citation;
  readonly times: number;
}

/** Shown of a cited range, in lines, and of a line, in characters: attachments are other people's. */
const MOST_LINES = 2_000;
const LONGEST_LINE = 4_000;

/** The most rows of the list, or of the lines. */
const MOST_ROWS = 24;

export class Citing implements Dialog {
  readonly width = 100;
  readonly hints: Hints = { accept: 'read the lines', 'previous next': 'other', cancel: 'back' };
  readonly cited: readonly Cited[];
  readonly #whose: string;
  readonly #attachments: readonly Attachment[];
  readonly #keymap: Keymap;
  readonly #list: List;
  #at = 0;
  /** The first row of the lines that are read; undefined: the list is seen. */
  #top: number | undefined;
  /** Rows that were seen last. */
  #height = MOST_ROWS;
  #laidOut: { readonly key: string; readonly rows: readonly string[] } = { key: '', rows: [] };

  /** `whose`: of the text, as a person calls it. */
  constructor(whose: string, text: string, attachments: readonly Attachment[], keymap: Keymap) {
    this.#whose = whose;
    this.#attachments = attachments;
    this.#keymap = keymap;
    const cited = new Map<string, Cited>();
    for (const citation of citationsIn(text, attachments)) {
      const { times } = cited.get(citation.ref) ?? { times: 0 };
      cited.set(citation.ref, { citation, times: times + 1 });
    }
    this.cited = [...cited.values()];
    this.#list = listOf(
      this.cited.map((one) => ({
        value: one.citation.ref,
        label: citedWords(one),
        ...(one.citation.ok ? {} : { tone: 'red' as const }),
      })),
    );
  }

  get title(): string {
    const { citation } = this.cited[this.#at] ?? {};
    if (this.#top !== undefined && citation !== undefined) {
      const below = Math.max(0, this.#laidOut.rows.length - this.#top - this.#height);
      return below > 0 ? `${citation.ref} · ${below} more below` : citation.ref;
    }
    const missing = this.cited.filter((one) => !one.citation.ok).length;
    const bad =
      missing === 0 ? 'all exist' : `${missing} ${missing === 1 ? 'does' : 'do'} not exist`;
    return `${this.#whose} cites ${plural(this.cited.length, 'place')}: ${bad}`;
  }

  /** The list is gone through with the keys that texts are read with. */
  key(key: string): boolean {
    const command = commandFor(this.#keymap, key);
    if (command === 'quit') return false;
    const reading = this.#top !== undefined;
    const end = reading
      ? Math.max(0, this.#laidOut.rows.length - this.#height)
      : this.cited.length - 1;
    const to = movedTo(this.#top ?? this.#at, command, end, this.#height);
    if (!reading) this.#at = to;
    else this.#top = key === 'backspace' ? undefined : to;
    if (!reading && key === 'enter' && this.cited[this.#at]?.citation.ok) this.#top = 0;
    return true;
  }

  /** From the lines to the list; false where the list is seen already. */
  back(): boolean {
    const reading = this.#top !== undefined;
    this.#top = undefined;
    return reading;
  }

  /** The rows that are seen of the cited lines, each after its number; none beside the list. */
  render({ cells, height }: Room): string[] {
    this.#height = Math.max(1, Math.min(MOST_ROWS, height));
    const { citation } = this.cited[this.#at] ?? {};
    if (citation === undefined || this.#top === undefined) return [];
    const key = `${citation.ref} ${cells}`;
    if (this.#laidOut.key !== key) this.#laidOut = { key, rows: this.#layOut(citation, cells) };
    return this.#laidOut.rows.slice(this.#top, this.#top + this.#height);
  }

  list(): { list: List; height: number } | undefined {
    if (this.#top !== undefined) return undefined;
    return {
      list: { ...this.#list, at: this.#at },
      height: Math.min(this.cited.length, this.#height),
    };
  }

  #layOut({ name, from, to }: Citation, width: number): string[] {
    const attachment = this.#attachments.find((one) => one.name === name);
    if (attachment === undefined) return [];
    const last = Math.min(to, from + MOST_LINES - 1);
    const digits = String(last).length;
    const rows = linesOf(attachment, from, last).flatMap((line, index) => {
      const text = sanitise(line.slice(0, LONGEST_LINE));
      return wrapPlain(text, Math.max(1, width - digits - 2)).map((part, row) => {
        const number = row === 0 ? `${from + index}`.padStart(digits) : ' '.repeat(digits);
        return `${number}  ${part}`;
      });
    });
    if (last < to) rows.push(`${to - last} more lines are not shown here.`);
    return rows;
  }
}

/** `✓ attachments/a.md#L3` or `✗ attachments/a.md#L300  does not exist: a.md has 210 lines` */
function citedWords({ citation: { ref, ok, why }, times }: Cited): string {
  const often = times > 1 ? ` (${times} times)` : '';
  return cleanLine(`${ok ? '✓' : '✗'} ${ref}${often}${ok ? '' : `  does not exist: ${why}`}`);
}
