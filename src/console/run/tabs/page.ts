/**
 * What a tab other than Columns is: a page that draws its own rows and takes the keys that move in it.
 * Pages keep where the person stands; what there is to see they read from the desk at every frame.
 */

import type { Command, Keymap } from '../../keys/keymap.ts';
import type { Draft, RunModel, SynthesisWords } from '../../model/run-model.ts';
import type { Size } from '../../terminal/layout.ts';
import type { Component } from '../../ui/component.ts';
import type { Copyable } from '../copyable.ts';
import type { Look } from '../look.ts';

export type Filter = 'status' | 'role' | 'round';

/** A place outside a page that its Enter leads to. */
export type Target =
  | { readonly kind: 'quote'; readonly seat: string; readonly quote: string }
  | { readonly kind: 'version'; readonly version: number }
  /** A text laid beside the synthesis. `detail`: said of the synthesis meanwhile. */
  | { readonly kind: 'beside'; readonly side: Side; readonly detail: string };

/** A text in a comparison. */
export interface Side {
  readonly heading: string;
  readonly detail: string;
  readonly markdown: string;
}

/** What is around a page. */
export interface PageAround {
  readonly runModel: RunModel;
  /** What the protocol says about a synthesis. */
  readonly says: SynthesisWords;
  readonly keymap: Keymap;
  /** The question whose answers are shown, and the synthesis of it. */
  readonly shown: () => { readonly question: number; readonly draft: Draft | undefined };
  readonly go: (place: Target) => void;
  /** Of the page itself: the rows between the tab strip and the status line. */
  readonly size: () => Size;
}

/** It draws exactly as many rows as it has. */
export interface Page extends Component<Look> {
  /** A scrolling key. */
  move(command: Command): void;
  /** Tab and the arrows: to the next or previous column. */
  step?(by: 1 | -1): void;
  /** Enter. Absent where nothing can be opened. */
  readonly open?: (() => void) | undefined;
  /** Esc. False where nothing was open. */
  back?(): boolean;
  /** Backspace: to where the last link was followed from. Absent where there is no such place. */
  readonly retrace?: (() => void) | undefined;
  /** Shows the next choice of a filter. Absent where nothing can be filtered. */
  readonly filter?: ((by: Filter) => void) | undefined;
  /** Shows only what has these words, or goes to them; all again where they are empty. False: nowhere. */
  find?(query: string): boolean;
  /** Goes to the next or previous match of the search. Absent where none is gone through. */
  readonly match?: ((by: 1 | -1) => void) | undefined;
  /** Gives the text the whole screen, and back. */
  zoom?(): void;
  /** What the person stands on, to be copied or saved. Undefined: it has no text. */
  copyable?(): Copyable | undefined;
  /** Where the person stands, for the status line; absent: where the run stands. */
  readonly status?: string | undefined;
}

/** A tab of a run. */
export interface Tab {
  readonly id: string;
  /** The key that goes to it; no other tab of the same run has it. */
  readonly number: number;
  readonly title: string;
  /** Whether it means something for this run. */
  readonly shown: (run: RunModel) => boolean;
  /** Absent for the columns, which are drawn and scrolled by the panes of `Reading`. */
  readonly page?: (around: PageAround) => Page;
}
