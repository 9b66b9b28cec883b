/**
 * The panes of the Columns tab: one a seat, and the synthesis after them. Each is a voice and how far
 * it is scrolled; which of them are seen, and how wide, is the layout's business.
 */
import type { ColumnBuffer } from '../../text/column-buffer.ts';
import { type Row, rowText } from '../../text/row.ts';
import type { Desk } from '../model/desk.ts';
import { notesOf } from '../model/notes.ts';
import type { Column, Draft } from '../model/run-model.ts';
import type { Voice } from '../model/voice.ts';
import type { Layout } from '../terminal/layout.ts';
import { FOLLOW, type Hold, rescaled, type Window, windowOf } from '../ui/scroll.ts';

export type Pane =
  | { readonly kind: 'seat'; readonly column: Column; readonly voice: Voice }
  | { readonly kind: 'synthesis'; readonly draft: Draft; readonly voice: Voice };

/**
 * The panes of a question, in the order Tab goes through them. `version`: of the synthesis to show;
 * by itself the newest, unless it was made only to weigh another one.
 */
export function panesOf(desk: Desk, question: number, version: number | undefined): Pane[] {
  const drafts = desk.draftsOf(question);
  const draft = drafts.find((one) => one.version === version) ?? newestOf(drafts);
  return [
    ...desk
      .columnsOf(question)
      .map((column): Pane => ({ kind: 'seat', column, voice: column.voice })),
    ...(draft === undefined
      ? []
      : [{ kind: 'synthesis', draft, voice: draft.voice } as const satisfies Pane]),
  ];
}

export function newestOf(drafts: readonly Draft[]): Draft | undefined {
  return drafts.findLast(({ weighs }) => weighs === undefined) ?? drafts.at(-1);
}

export function textWidthOf(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.columnText : layout.synthesisText;
}

export function heightOf(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.body : layout.synthesisBody;
}

/** How far a pane was scrolled, by whom it was last drawn, and what stood at its top. */
interface Held {
  readonly attempt: string;
  readonly hold: Hold;
  /** Rows there were when the pane stopped following. */
  readonly length: number;
  /** Letters above the top row, so that the same words stay at the top in another width. */
  readonly letters?: number;
}

/**
 * Where every pane stands. A pane that nobody moved follows its end; a synthesis that is finished is
 * read from its beginning. A hold ends with the call it was made in: when a seat is asked again, its
 * words are followed again.
 */
export class Holds {
  readonly #holds = new Map<Voice, Held>();

  get(pane: Pane): Hold {
    const { kind, voice } = pane;
    return this.#held(pane)?.hold ?? (kind === 'synthesis' && !voice.running ? 0 : FOLLOW);
  }

  set(pane: Pane, hold: Hold): void {
    const { voice } = pane;
    const held = this.#held(pane);
    const was = held === undefined || held.hold === FOLLOW ? rowsOf(voice) : held.length;
    this.#holds.set(voice, { attempt: voice.attempt, hold, length: was });
  }

  /** Rows that have come since the pane stopped following. */
  fresh(pane: Pane): number {
    const held = this.#held(pane);
    return held === undefined ? 0 : Math.max(0, rowsOf(pane.voice) - held.length);
  }

  /** Lays the pane's text out for the width it is shown in; cheap where that has not changed. */
  fit(pane: Pane, layout: Layout): void {
    const { voice } = pane;
    const { text, thinking } = voice;
    const width = textWidthOf(pane, layout);
    if (text.width === width && thinking.fits(width)) return;
    const held = this.#held(pane);
    const row = held === undefined ? FOLLOW : held.hold - prefaceOf(voice);
    const before = rowsOf(voice);
    const isInText = row >= 0 && row !== FOLLOW;
    const letters = isInText ? (held?.letters ?? lettersIn(text.slice(0, row))) : 0;
    thinking.resize(width);
    text.resize(width);
    if (held === undefined) return;
    const length = rescaled(held.length, before, rowsOf(voice));
    this.#holds.set(
      voice,
      isInText
        ? { ...held, length, hold: prefaceOf(voice) + rowAt(text, letters), letters }
        : { ...held, length },
    );
  }

  /** What of the pane is seen. */
  window(pane: Pane, layout: Layout, now: number): Window {
    return windowOf(
      this.get(pane),
      lengthOf(pane, layout, now),
      heightOf(pane, layout),
      pane.voice.running,
    );
  }

  #held({ voice }: Pane): Held | undefined {
    const held = this.#holds.get(voice);
    return held?.attempt === voice.attempt ? held : undefined;
  }
}

/** Rows of the pane: what was thought, the text, and what stands below it. */
export function lengthOf(pane: Pane, layout: Layout, now: number): number {
  const { voice } = pane;
  return rowsOf(voice) + notesOf(voice, textWidthOf(pane, layout), now).length;
}

/** Where the answer begins. While only thinking is there, and folded, the notes below tell of it. */
export function prefaceOf({ thinking, text, phase }: Voice): number {
  return !thinking.open && phase.kind === 'thinking' && text.length === 0 ? 0 : thinking.length;
}

function rowsOf(voice: Voice): number {
  return prefaceOf(voice) + voice.text.length;
}

/** Blanks do not count: how many there are depends on the width. */
function lettersIn(rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) count += rowText(row).replaceAll(' ', '').length;
  return count;
}

/** The row that the letter after so many others stands in. */
function rowAt(text: ColumnBuffer, letters: number): number {
  let left = letters;
  const rows = text.slice(0, text.length);
  const at = rows.findIndex((row) => {
    left -= rowText(row).replaceAll(' ', '').length;
    return left < 0;
  });
  return at < 0 ? Math.max(0, rows.length - 1) : at;
}
