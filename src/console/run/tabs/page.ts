/**
 * What a tab other than Columns is: a page that draws its own rows and takes the keys that move in it.
 * Pages keep where the person stands; what there is to see they read from the run model at every frame.
 */

import type { Command, Keymap } from '../../keys/keymap.ts';
import type { RunModel, Synthesis, SynthesisWords } from '../../model/run-model.ts';
import type { Size } from '../../terminal/layout.ts';
import type { Component } from '../../ui/component.ts';
import type { Copyable } from '../copyable.ts';
import type { PageScene } from '../page-scene.ts';

export type Filter = 'status' | 'role' | 'round';

/** A place outside a page that its Enter leads to. */
export type Target =
  | { readonly kind: 'quote'; readonly seat: string; readonly quote: string }
  | { readonly kind: 'version'; readonly version: number }
  /** What is known of the record of that id. */
  | { readonly kind: 'record'; readonly id: string }
  /** What was said, to be read whole; asked again while it grows. */
  | { readonly kind: 'text'; readonly text: () => ReadText }
  /** A text laid beside the synthesis. `detail`: said of the synthesis meanwhile. */
  | { readonly kind: 'beside'; readonly side: Side; readonly detail: string };

/** A text that is read whole. */
export interface ReadText extends Copyable {
  /** As it came, as Markdown; absent where it came as it is read. */
  readonly raw?: string;
  /** What lies before the seats is listed in it, and can be opened from it. */
  readonly hasAttachments?: boolean;
}

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
  readonly shown: () => { readonly question: number; readonly synthesis: Synthesis | undefined };
  readonly go: (place: Target) => void;
  /** Of the page itself: the rows between the tab strip and the status line. */
  readonly size: () => Size;
}

/** It draws exactly as many rows as it has. */
export interface Page extends Component<PageScene> {
  /** A scrolling key. */
  move(command: Command): void;
  /** Tab and the arrows: to the next or previous column. */
  step?(by: 1 | -1): void;
  /** Enter. Absent where nothing can be opened. */
  readonly open?: (() => void) | undefined;
  /** Folds what is below the line under the cursor, or unfolds it. Absent where nothing can be folded. */
  readonly fold?: (() => void) | undefined;
  /** Shows a text as it came, and laid out again. Absent where both are the same. */
  readonly raw?: (() => void) | undefined;
  readonly isRaw?: boolean;
  /** The attachments are listed on it: its citations are all of them. */
  readonly hasAttachments?: boolean;
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
  /** Goes to where a vote is listed, on the page that lists it among other things. */
  showVote?(): void;
  /** Opens the record of that id; `left` is called when the person goes back from it. */
  show?(id: string, left: () => void): void;
  /** Whether it has the whole screen. */
  readonly zoomed?: boolean;
  /** What the person stands on, to be copied or saved. Undefined: it has no text. */
  copyable?(): Copyable | undefined;
  /** Where the person stands, for the status line; absent: where the run stands. */
  readonly status?: string | undefined;
}

/** As it is shown: under the number of the key that goes to it. */
export interface NumberedTab extends Tab {
  readonly number: number;
}

/** A tab of a run. */
export interface Tab {
  readonly id: string;
  /** Where it stands among the tabs of a run. A protocol's own takes the place of a common one. */
  readonly place: number;
  readonly title: string;
  /** Whether it means something for this run. */
  readonly shown: (run: RunModel) => boolean;
  /** Absent for the columns, which are drawn and scrolled by the panes of `Reading`. */
  readonly page?: (around: PageAround) => Page;
}
