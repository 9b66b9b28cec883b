/**
 * The panes of the Columns tab: one a seat, and the synthesis after them. Each is a stream and how far
 * it is scrolled; which of them are seen, and how wide, is the layout's business.
 */
import type { ColumnBuffer } from '../../text/column-buffer.ts';
import { type Row, rowText } from '../../text/row.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { LiveRun } from '../model/live-run.ts';
import { notesOf } from '../model/notes.ts';
import type { Column, Synthesis } from '../model/run-model.ts';
import type { Layout } from '../terminal/layout.ts';
import { FOLLOW, type Hold, rescale, type Window, windowOf } from '../ui/scroll.ts';

export type Pane =
  | { readonly kind: 'seat'; readonly column: Column; readonly stream: CallStream }
  | { readonly kind: 'synthesis'; readonly synthesis: Synthesis; readonly stream: CallStream };

/**
 * The panes of a question, in the order Tab goes through them. `version`: of the synthesis to show;
 * by itself the newest, unless it was made only to ablate another one.
 */
export function panesOf(runModel: LiveRun, question: number, version: number | undefined): Pane[] {
  const syntheses = runModel.synthesesOf(question);
  const synthesis = syntheses.find((one) => one.version === version) ?? newestOf(syntheses);
  return [
    ...runModel
      .columnsOf(question)
      .map((column): Pane => ({ kind: 'seat', column, stream: column.stream })),
    ...(synthesis === undefined
      ? []
      : [{ kind: 'synthesis', synthesis, stream: synthesis.stream } as const satisfies Pane]),
  ];
}

export function newestOf(syntheses: readonly Synthesis[]): Synthesis | undefined {
  return syntheses.findLast(({ ablates }) => ablates === undefined) ?? syntheses.at(-1);
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
 * Where every pane stands. A pane that nobody moved follows its end. What is finished is read from its
 * beginning: a synthesis at once, what seats said when the run rests. A hold ends with the call it was made in: when a seat is asked again, its
 * words are followed again.
 */
export class Holds {
  readonly #holds = new Map<CallStream, Held>();
  readonly #rests: () => boolean;

  /** `rests`: nothing is asked any more. */
  constructor(rests: () => boolean) {
    this.#rests = rests;
  }

  get(pane: Pane): Hold {
    const { kind, stream } = pane;
    const isFinished = !stream.running && (kind === 'synthesis' || this.#rests());
    return this.#held(pane)?.hold ?? (isFinished ? 0 : FOLLOW);
  }

  set(pane: Pane, hold: Hold): void {
    const { stream } = pane;
    const held = this.#held(pane);
    const was = held === undefined || held.hold === FOLLOW ? rowsOf(stream) : held.length;
    this.#holds.set(stream, { attempt: stream.attempt, hold, length: was });
  }

  /** Rows that have come since the pane stopped following. */
  fresh(pane: Pane): number {
    const held = this.#held(pane);
    return held === undefined ? 0 : Math.max(0, rowsOf(pane.stream) - held.length);
  }

  /** Lays the pane's text out for the width it is shown in; cheap where that has not changed. */
  fit(pane: Pane, layout: Layout): void {
    const { stream } = pane;
    const { text, thinking } = stream;
    const width = textWidthOf(pane, layout);
    if (text.width === width && thinking.fits(width)) return;
    const held = this.#held(pane);
    const row = held === undefined ? FOLLOW : held.hold - prefaceOf(stream);
    const before = rowsOf(stream);
    const isInText = row >= 0 && row !== FOLLOW;
    const letters = isInText ? (held?.letters ?? lettersIn(text.slice(0, row))) : 0;
    thinking.resize(width);
    text.resize(width);
    if (held === undefined) return;
    const length = rescale(held.length, before, rowsOf(stream));
    this.#holds.set(
      stream,
      isInText
        ? { ...held, length, hold: prefaceOf(stream) + rowAt(text, letters), letters }
        : { ...held, length },
    );
  }

  /** What of the pane is seen. */
  window(pane: Pane, layout: Layout, now: number): Window {
    return windowOf(
      this.get(pane),
      lengthOf(pane, layout, now),
      heightOf(pane, layout),
      pane.stream.running,
    );
  }

  #held({ stream }: Pane): Held | undefined {
    const held = this.#holds.get(stream);
    return held?.attempt === stream.attempt ? held : undefined;
  }
}

/** Rows of the pane: what was thought, the text, and what stands below it. */
export function lengthOf(pane: Pane, layout: Layout, now: number): number {
  const { stream } = pane;
  return rowsOf(stream) + notesOf(stream, textWidthOf(pane, layout), now).length;
}

/** Where the answer begins. While only thinking is there, and folded, the notes below tell of it. */
export function prefaceOf({ thinking, text, phase }: CallStream): number {
  return !thinking.open && phase.kind === 'thinking' && text.length === 0 ? 0 : thinking.length;
}

function rowsOf(stream: CallStream): number {
  return prefaceOf(stream) + stream.text.length;
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
