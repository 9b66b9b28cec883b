/**
 * What a tab other than Columns is: a page that draws its own rows and takes the keys that move in it.
 * Pages keep where the person stands; what there is to see they read from the desk at every frame.
 */
import type { BaselineView } from '../../../protocols/board/fold.ts';
import type { Command, Keymap } from '../../keys/keymap.ts';
import type { Desk, Draft } from '../../model/desk.ts';
import type { Passage } from '../passage.ts';
import type { Size } from '../reading.ts';
import type { Scene } from '../scene.ts';

export type Filter = 'status' | 'role' | 'round';

/** A place outside a page that its Enter leads to. */
export type Place =
  | { readonly kind: 'quote'; readonly seat: string; readonly quote: string }
  | { readonly kind: 'version'; readonly version: number }
  /** What was said without a panel, beside the synthesis. */
  | { readonly kind: 'baseline'; readonly baseline: BaselineView };

/** What is around a page. */
export interface PageAround {
  readonly desk: Desk;
  readonly keymap: Keymap;
  /** The question whose answers are shown, and the synthesis of it. */
  readonly shown: () => { readonly question: number; readonly draft: Draft | undefined };
  readonly go: (place: Place) => void;
  /** Of the page itself: the rows between the tab strip and the status line. */
  readonly size: () => Size;
}

export interface Page {
  /** Exactly as many rows as the page has. */
  rows(scene: Scene): string[];
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
  passage?(): Passage | undefined;
  /** Where the person stands, for the status line; absent: where the run stands. */
  readonly status?: string | undefined;
}
