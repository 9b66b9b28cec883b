/**
 * The interface of a tab other than Columns: a page draws its own rows and handles movement keys. A page stores
 * where the person is; its content is read from the run model for every frame.
 */

import type { Command, Keymap } from '../../keys/keymap.ts';
import type { RunModel, Synthesis, SynthesisWords } from '../../model/run-model.ts';
import type { Size } from '../../terminal/layout.ts';
import type { Component } from '../../ui/component.ts';
import type { Copyable } from '../copyable.ts';
import type { PageScene } from '../page-scene.ts';

export type Filter = 'status' | 'role' | 'round';

/** A place outside a page that its Enter opens. */
export type Target =
  | { readonly kind: 'quote'; readonly seat: string; readonly quote: string }
  | { readonly kind: 'version'; readonly version: number }
  /** The record with that id. */
  | { readonly kind: 'record'; readonly id: string }
  /** A text to be read in full; requested again while it grows. */
  | { readonly kind: 'text'; readonly text: () => ReadText }
  /** A text shown beside the synthesis. `detail` is said of the synthesis meanwhile. */
  | { readonly kind: 'beside'; readonly side: Side; readonly detail: string };

/** A text to be read in full. */
export interface ReadText extends Copyable {
  /** The text as it arrived, as Markdown; absent if it is shown unchanged. */
  readonly raw?: string;
  /** Whether the text lists the attachments, which can be opened from it. */
  readonly hasAttachments?: boolean;
}

/** A text in a comparison. */
export interface Side {
  readonly heading: string;
  readonly detail: string;
  readonly markdown: string;
}

/** What a page needs. */
export interface PageAround {
  readonly runModel: RunModel;
  /** What the protocol says about a synthesis. */
  readonly says: SynthesisWords;
  readonly keymap: Keymap;
  /** Returns the question and the synthesis that are shown. */
  readonly shown: () => { readonly question: number; readonly synthesis: Synthesis | undefined };
  readonly go: (place: Target) => void;
  /** Returns the page's size: the rows between the tabs and the status line. */
  readonly size: () => Size;
}

/** A page. It draws exactly as many rows as it has. */
export interface Page extends Component<PageScene> {
  /** Handles a scrolling key. */
  move(command: Command): void;
  /** Handles Tab and the arrows: moves to the next or previous column. */
  step?(by: 1 | -1): void;
  /** Handles Enter. Absent if nothing can be opened. */
  readonly open?: (() => void) | undefined;
  /** Folds or unfolds what is below the line under the cursor. Absent if nothing can be folded. */
  readonly fold?: (() => void) | undefined;
  /** Switches between the text as it arrived and its layout. Absent if both are the same. */
  readonly raw?: (() => void) | undefined;
  readonly isRaw?: boolean;
  /** Whether the attachments are listed on the page, so that its citations are all of them. */
  readonly hasAttachments?: boolean;
  /** Handles Esc. Returns false if nothing was open. */
  back?(): boolean;
  /** Handles Backspace: returns to where the last link was followed from. Absent if there is no such place. */
  readonly retrace?: (() => void) | undefined;
  /** Switches to the next value of a filter. Absent if nothing can be filtered. */
  readonly filter?: ((by: Filter) => void) | undefined;
  /**
   * Shows only what contains the words, or goes to them; empty words show everything again. Returns false if
   * there is no match.
   */
  find?(query: string): boolean;
  /** Goes to the next or previous match of the search. Absent without a search. */
  readonly match?: ((by: 1 | -1) => void) | undefined;
  /** Switches the text to the whole screen and back. */
  zoom?(): void;
  /** Goes to the vote, on a page that lists it among other things. */
  showVote?(): void;
  /** Opens the record with that id. `left` is called when the person goes back from it. */
  show?(id: string, left: () => void): void;
  /** Whether the page fills the whole screen. */
  readonly zoomed?: boolean;
  /** Returns the text at the cursor to copy or save; undefined if there is none. */
  copyable?(): Copyable | undefined;
  /** The position for the status line; absent: the run's progress is shown. */
  readonly status?: string | undefined;
}

/** A tab with the number of the key that opens it. */
export interface NumberedTab extends Tab {
  readonly number: number;
}

/** A tab of a run. */
export interface Tab {
  readonly id: string;
  /** The tab's place among a run's tabs. A protocol's tab replaces the common one at the same place. */
  readonly place: number;
  readonly title: string;
  /** Returns whether the tab applies to this run. */
  readonly shown: (run: RunModel) => boolean;
  /** Makes the page; absent for the columns, which `Reading` and its panes handle. */
  readonly page?: (around: PageAround) => Page;
}
