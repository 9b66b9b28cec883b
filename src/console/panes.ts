/**
 * The panes of the Columns tab: one a seat, and the synthesis after them. Each is a voice and how far
 * it is scrolled; which of them are seen, and how wide, is the layout's business.
 */
import type { Column, Desk, Draft } from './desk.ts';
import type { Layout } from './layout.ts';
import { notesOf } from './notes.ts';
import { FOLLOW, type Hold, rescaled, type Window, windowOf } from './scroll.ts';
import type { Voice } from './voice.ts';

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

/**
 * Where every pane stands. A pane that nobody moved follows its end; a synthesis that is finished is
 * read from its beginning. A hold ends with the call it was made in: when a seat is asked again, its
 * words are followed again.
 */
export class Holds {
  readonly #holds = new Map<Voice, { readonly attempt: string; readonly hold: Hold }>();

  get({ kind, voice }: Pane): Hold {
    const known = this.#holds.get(voice);
    if (known?.attempt === voice.attempt) return known.hold;
    return kind === 'synthesis' && !voice.running ? 0 : FOLLOW;
  }

  set({ voice }: Pane, hold: Hold): void {
    this.#holds.set(voice, { attempt: voice.attempt, hold });
  }

  /** Lays the pane's text out for the width it is shown in; cheap where that has not changed. */
  fit(pane: Pane, layout: Layout): void {
    const { voice } = pane;
    const width = textWidthOf(pane, layout);
    if (voice.text.width === width) return;
    const before = voice.text.length;
    voice.text.resize(width);
    const known = this.#holds.get(voice);
    if (known !== undefined) this.set(pane, rescaled(known.hold, before, voice.text.length));
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
}

/** Rows of the pane's text and of what stands below it. */
export function lengthOf(pane: Pane, layout: Layout, now: number): number {
  const { voice } = pane;
  return voice.text.length + notesOf(voice, textWidthOf(pane, layout), now).length;
}
