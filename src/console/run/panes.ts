/**
 * The panes of the tab Columns: one for each seat, and the synthesis after them. A pane is a stream with a
 * scroll position; the layout decides which panes are visible and how wide.
 */
import type { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { type Row, rowText } from '../../text/rows/row.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { LiveRun } from '../model/live-run.ts';
import { listNotes } from '../model/notes.ts';
import type { Column, Synthesis } from '../model/run-model.ts';
import type { Layout } from '../terminal/layout.ts';
import { FOLLOW, rescaleScroll, type ScrollPosition, type Window, windowOf } from '../ui/scroll.ts';

/** A text with a scroll position: a seat's output or the synthesis. */
export type Pane =
  | { readonly kind: 'seat'; readonly column: Column; readonly stream: CallStream }
  | { readonly kind: 'synthesis'; readonly synthesis: Synthesis; readonly stream: CallStream };

/**
 * Returns the texts that are shown for a question: the output of each seat, then the synthesis.
 * @param question the number of the question
 * @param version the version of the synthesis to show; if undefined or unknown, `findNewestSynthesis`
 *   chooses one
 */
export function listPanes(
  runModel: LiveRun,
  question: number,
  version: number | undefined,
): Pane[] {
  const syntheses = runModel.synthesesOf(question);
  const synthesis =
    syntheses.find((synthesis) => synthesis.version === version) ?? findNewestSynthesis(syntheses);
  return [
    ...runModel
      .columnsOf(question)
      .map((column): Pane => ({ kind: 'seat', column, stream: column.stream })),
    ...(synthesis === undefined
      ? []
      : [{ kind: 'synthesis', synthesis, stream: synthesis.stream } as const satisfies Pane]),
  ];
}

/**
 * Returns the newest synthesis that was written with all seats (no ablation), or else the newest
 * ablation. Returns undefined if there is no synthesis.
 */
export function findNewestSynthesis(syntheses: readonly Synthesis[]): Synthesis | undefined {
  return syntheses.findLast(({ ablates }) => ablates === undefined) ?? syntheses.at(-1);
}

/** Returns the width of a pane's lines in cells. */
export function textWidthOf(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.columnText : layout.synthesisText;
}

/** Returns the height of a pane's text in rows. */
export function getPaneHeight(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.body : layout.synthesisBody;
}

/** The scroll position of a pane, the call it belongs to, and what was at its top. */
interface ScrollState {
  readonly attempt: string;
  readonly hold: ScrollPosition;
  /** How many rows there were when the pane stopped following. */
  readonly length: number;
  /** How many letters are above the top row, so that the same text stays at the top in another width. */
  readonly letters?: number;
}

/**
 * The scroll positions of all panes. A pane that the person has not scrolled shows the end of its text
 * while the text may grow: a synthesis until it is written, a seat's output until the run ends. After
 * that it shows the beginning. When a seat is asked again, the position of its pane is forgotten.
 */
export class ScrollPositions {
  readonly #holds = new Map<CallStream, ScrollState>();
  readonly #rests: () => boolean;

  /** Expects a function that returns whether the run is at rest, so that no output of a seat grows. */
  constructor(rests: () => boolean) {
    this.#rests = rests;
  }

  /** Returns a pane's position. */
  get(pane: Pane): ScrollPosition {
    const { kind, stream } = pane;
    const isFinished = !stream.running && (kind === 'synthesis' || this.#rests());
    return this.#held(pane)?.hold ?? (isFinished ? 0 : FOLLOW);
  }

  /** Scrolls a pane. */
  set(pane: Pane, hold: ScrollPosition): void {
    const { stream } = pane;
    const held = this.#held(pane);
    const was = held === undefined || held.hold === FOLLOW ? rowsOf(stream) : held.length;
    this.#holds.set(stream, { attempt: stream.attempt, hold, length: was });
  }

  /**
   * Returns by how many rows a pane has grown since the person scrolled it away from its end; 0 if the
   * person has not scrolled it.
   */
  fresh(pane: Pane): number {
    const held = this.#held(pane);
    return held === undefined ? 0 : Math.max(0, rowsOf(pane.stream) - held.length);
  }

  /** Lays the pane's text out for its width, if that has changed. A row of the answer at the top stays there. */
  fit(pane: Pane, layout: Layout): void {
    const { stream } = pane;
    const { text, thinking } = stream;
    const width = textWidthOf(pane, layout);
    if (text.width === width && thinking.fits(width)) return;
    const held = this.#held(pane);
    const row = held === undefined ? FOLLOW : held.hold - getAnswerRow(stream);
    const before = rowsOf(stream);
    const isInText = row >= 0 && row !== FOLLOW;
    const letters = isInText ? (held?.letters ?? lettersIn(text.slice(0, row))) : 0;
    thinking.resize(width);
    text.resize(width);
    if (held === undefined) return;
    const length = rescaleScroll(held.length, before, rowsOf(stream));
    this.#holds.set(
      stream,
      isInText
        ? { ...held, length, hold: getAnswerRow(stream) + rowAt(text, letters), letters }
        : { ...held, length },
    );
  }

  /** Returns the visible part of the pane. */
  window(pane: Pane, layout: Layout, now: number): Window {
    return windowOf(
      this.get(pane),
      countPaneRows(pane, layout, now),
      getPaneHeight(pane, layout),
      pane.stream.running,
    );
  }

  #held({ stream }: Pane): ScrollState | undefined {
    const held = this.#holds.get(stream);
    return held?.attempt === stream.attempt ? held : undefined;
  }
}

/** Returns how many rows a pane has: thinking, text and notes. */
export function countPaneRows(pane: Pane, layout: Layout, now: number): number {
  const { stream } = pane;
  return rowsOf(stream) + listNotes(stream, textWidthOf(pane, layout), now).length;
}

/** Returns the row at which the answer begins, below the thinking. */
export function getAnswerRow({ thinking, text, phase }: CallStream): number {
  return !thinking.open && phase.kind === 'thinking' && text.length === 0 ? 0 : thinking.length;
}

function rowsOf(stream: CallStream): number {
  return getAnswerRow(stream) + stream.text.length;
}

/** Counts letters, ignoring blanks, whose number depends on the width. */
function lettersIn(rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) count += rowText(row).replaceAll(' ', '').length;
  return count;
}

/** Returns the row that contains the letter after so many others. */
function rowAt(text: ColumnBuffer, letters: number): number {
  let left = letters;
  const rows = text.slice(0, text.length);
  const at = rows.findIndex((row) => {
    left -= rowText(row).replaceAll(' ', '').length;
    return left < 0;
  });
  return at < 0 ? Math.max(0, rows.length - 1) : at;
}
