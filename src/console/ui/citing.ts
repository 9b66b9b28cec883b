/**
 * What a text cites of the attachments, as a list, and the lines behind each citation. Whether lines
 * exist was checked by code (`records/citations.ts`); here a person can read them.
 */

import { type Attachment, type Citation, citationsIn, linesOf } from '../../text/citations.ts';
import { plural } from '../../text/figures.ts';
import { sanitise } from '../../text/sanitise.ts';
import { wrapPlain } from '../../text/wrap.ts';
import type { Command } from '../keys/keymap.ts';
import { cleanLine } from '../terminal/door.ts';
import { pageStep } from './scroll.ts';

/** A citation and how often the text makes it. */
export interface Cited {
  readonly citation: Citation;
  readonly times: number;
}

/** Shown of a cited range, in lines, and of a line, in characters: attachments are other people's. */
const MOST_LINES = 2_000;
const LONGEST_LINE = 4_000;

/** Rows that the dialog has for the list or the lines: the screen less what is around them. */
export function citationsHeight(rows: number): number {
  return Math.max(1, Math.min(24, rows - 5));
}

export class Citing {
  readonly cited: readonly Cited[];
  readonly #whose: string;
  readonly #attachments: readonly Attachment[];
  at = 0;
  /** The first row of the lines that are read; undefined: the list is seen. */
  #top: number | undefined;
  #laidOut: { readonly key: string; readonly rows: readonly string[] } = { key: '', rows: [] };

  /** `whose`: of the text, as a person calls it. */
  constructor(whose: string, text: string, attachments: readonly Attachment[]) {
    this.#whose = whose;
    this.#attachments = attachments;
    const cited = new Map<string, Cited>();
    for (const citation of citationsIn(text, attachments)) {
      const { times } = cited.get(citation.ref) ?? { times: 0 };
      cited.set(citation.ref, { citation, times: times + 1 });
    }
    this.cited = [...cited.values()];
  }

  /** Whether the lines are read and not the list. */
  get reading(): boolean {
    return this.#top !== undefined;
  }

  get title(): string {
    const { citation } = this.cited[this.at] ?? {};
    if (this.reading && citation !== undefined) return citation.ref;
    const missing = this.cited.filter((one) => !one.citation.ok).length;
    const bad =
      missing === 0 ? 'all exist' : `${missing} ${missing === 1 ? 'does' : 'do'} not exist`;
    return `${this.#whose} cites ${plural(this.cited.length, 'place')}: ${bad}`;
  }

  /** A key of the list or of the lines, which have `height` rows. */
  key(key: string, command: Command | undefined, height: number): void {
    if (this.#top !== undefined) {
      const end = Math.max(0, this.#laidOut.rows.length - height);
      const to = this.#top + pageStep(command, height);
      this.#top = Math.max(
        0,
        Math.min(command === 'bottom' ? end : command === 'top' ? 0 : to, end),
      );
      if (key === 'backspace') this.#top = undefined;
      return;
    }
    const last = this.cited.length - 1;
    const to = this.at + pageStep(command, height);
    this.at = Math.max(0, Math.min(command === 'bottom' ? last : command === 'top' ? 0 : to, last));
    if (key === 'enter' && this.cited[this.at]?.citation.ok) this.#top = 0;
  }

  /** From the lines to the list; false where the list is seen already. */
  back(): boolean {
    const { reading } = this;
    this.#top = undefined;
    return reading;
  }

  /** The rows that are seen of the cited lines, each after its number. */
  lines(width: number, height: number): string[] {
    const { citation } = this.cited[this.at] ?? {};
    if (citation === undefined || this.#top === undefined) return [];
    const key = `${citation.ref} ${width}`;
    if (this.#laidOut.key !== key) this.#laidOut = { key, rows: this.#layOut(citation, width) };
    return this.#laidOut.rows.slice(this.#top, this.#top + height);
  }

  /** Rows of the cited lines that stand below those that were last seen. */
  below(height: number): number {
    return this.#top === undefined
      ? 0
      : Math.max(0, this.#laidOut.rows.length - this.#top - height);
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
export function citedWords({ citation: { ref, ok, why }, times }: Cited): string {
  const often = times > 1 ? ` (${times} times)` : '';
  return cleanLine(`${ok ? '✓' : '✗'} ${ref}${often}${ok ? '' : `  does not exist: ${why}`}`);
}
