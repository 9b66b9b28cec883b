/**
 * The panes of the Columns tab: one a seat, and the synthesis after them. Each is a voice and how far
 * it is scrolled; which of them are seen, and how wide, is the layout's business.
 */
import type { Column, Desk, Draft } from './desk.ts';
import type { Layout } from './layout.ts';
import { notesOf } from './notes.ts';
import { type Hold, rescaled, type Window, windowOf } from './scroll.ts';
import type { Voice } from './voice.ts';

export type Pane =
  | { readonly kind: 'seat'; readonly column: Column; readonly voice: Voice }
  | { readonly kind: 'synthesis'; readonly draft: Draft; readonly voice: Voice };

/** The panes there are, in the order Tab goes through them. `version`: of the synthesis to show. */
export function panesOf(desk: Desk, version: number | undefined): Pane[] {
  const draft = desk.drafts.find((one) => one.version === version) ?? desk.drafts.at(-1);
  return [
    ...desk.columns.map((column): Pane => ({ kind: 'seat', column, voice: column.voice })),
    ...(draft === undefined
      ? []
      : [{ kind: 'synthesis', draft, voice: draft.voice } as const satisfies Pane]),
  ];
}

export function textWidthOf(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.columnText : layout.synthesisText;
}

export function heightOf(pane: Pane, layout: Layout): number {
  return pane.kind === 'seat' ? layout.body : layout.synthesisBody;
}

/**
 * Where every voice is held; voices that are not in it follow their end. A hold ends with the call it
 * was made in: when a seat is asked again, its words are followed again.
 */
export class Holds {
  readonly #holds = new Map<Voice, { readonly attempt: string; readonly top: number }>();

  get(voice: Voice): Hold {
    const hold = this.#holds.get(voice);
    return hold?.attempt === voice.attempt ? hold.top : undefined;
  }

  set(voice: Voice, hold: Hold): void {
    if (hold === undefined) this.#holds.delete(voice);
    else this.#holds.set(voice, { attempt: voice.attempt, top: hold });
  }

  /** Lays the pane's text out for the width it is shown in; cheap where that has not changed. */
  fit(pane: Pane, layout: Layout): void {
    const { voice } = pane;
    const width = textWidthOf(pane, layout);
    if (voice.text.width === width) return;
    const before = voice.text.length;
    voice.text.resize(width);
    this.set(voice, rescaled(this.get(voice), before, voice.text.length));
  }

  /** What of the pane is seen. */
  window(pane: Pane, layout: Layout, now: number): Window {
    return windowOf(
      this.get(pane.voice),
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
