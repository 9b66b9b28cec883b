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

/** What a page can be filtered by. */
export type Filter = 'status' | 'role' | 'round';

/**
 * Something that Enter opens and that is not on the page itself, such as a quoted passage or a
 * record.
 */
export type Target =
  | { readonly kind: 'quote'; readonly seat: string; readonly quote: string }
  | { readonly kind: 'version'; readonly version: number }
  /** The record with that id. */
  | { readonly kind: 'record'; readonly id: string }
  /** A text to be read in full; requested again while it grows. */
  | { readonly kind: 'text'; readonly text: () => ReadText }
  /** A text shown beside the synthesis. `detail` is a phrase below the heading of the synthesis. */
  | { readonly kind: 'beside'; readonly side: ComparedText; readonly detail: string };

/** A text that is shown in full on a page of its own. */
export interface ReadText extends Copyable {
  /**
   * The unformatted form, as Markdown with code blocks: what was recorded of a call or fact, or a record with its
   * texts letter for letter. Absent if the text has only one form.
   */
  readonly raw?: string;
  /** Whether the text lists the attachments, so that they can be opened from it. */
  readonly hasAttachments?: boolean;
}

/** One of the two texts of a comparison. */
export interface ComparedText {
  readonly heading: string;
  /** A phrase below the heading. */
  readonly detail: string;
  readonly markdown: string;
}

/** What a page needs to know of the run's screen. */
export interface PageAround {
  readonly runModel: RunModel;
  /** What the protocol says about a synthesis. */
  readonly says: SynthesisWords;
  readonly keymap: Keymap;
  /** Returns the question and the synthesis that the person sees. */
  readonly shown: () => { readonly question: number; readonly synthesis: Synthesis | undefined };
  /** Opens something outside the page. */
  readonly go: (place: Target) => void;
  /** Returns the page's size, without tabs and status line. */
  readonly size: () => Size;
}

/** The page of a tab. It draws exactly as many rows as the screen gives it. */
export interface Page extends Component<PageScene> {
  /** Handles a scrolling key. */
  move(command: Command): void;
  /**
   * Handles Tab and the left and right arrows: moves to the next or previous column. Absent if there are none at
   * the cursor.
   */
  readonly step?: ((by: 1 | -1) => void) | undefined;
  /** Handles Enter. Absent if nothing can be opened. */
  readonly open?: (() => void) | undefined;
  /**
   * Hides or shows the lines that are nested below the line under the cursor. Absent if there are
   * none.
   */
  readonly fold?: (() => void) | undefined;
  /**
   * Switches between the text as it arrived and its formatted form. Absent if both are the same.
   */
  readonly raw?: (() => void) | undefined;
  readonly isRaw?: boolean;
  /** Whether the page lists the attachments, so that all of them can be opened from it. */
  readonly hasAttachments?: boolean;
  /** Handles Esc: ends a search or closes what is open inside the page. Returns false if there was nothing to end. */
  back?(): boolean;
  /**
   * Handles Backspace: returns to the place of the last link that was followed. Absent if there is
   * none.
   */
  readonly retrace?: (() => void) | undefined;
  /** Switches to the next value of a filter. Absent if nothing can be filtered. */
  readonly filter?: ((by: Filter) => void) | undefined;
  /**
   * Shows only what contains the words, or goes to them. Empty words end the search. Returns false
   * if there is no match.
   */
  find?(query: string): boolean;
  /** Goes to the next or previous match of the search. Absent without a search. */
  readonly match?: ((by: 1 | -1) => void) | undefined;
  /** Shows the text at the cursor on the whole screen, or returns from there to the page. */
  zoom?(): void;
  /** Goes to the vote, on a page that also lists other things. */
  showVote?(): void;
  /** Opens the record with that id. `left` is called when the person goes back from it. */
  show?(id: string, left: () => void): void;
  /** Whether the page fills the whole screen. */
  readonly zoomed?: boolean;
  /** Returns the text at the cursor to copy or save; undefined if there is none. */
  copyable?(): Copyable | undefined;
  /** The position in the page, for the status line; absent to show the run's progress. */
  readonly status?: string | undefined;
}

/** A tab with the number of the key that opens it. */
export interface NumberedTab extends Tab {
  readonly number: number;
}

/** A tab of a run's screen. */
export interface Tab {
  readonly id: string;
  /**
   * The tab's position among the tabs. A protocol's tab replaces the usual one with the same
   * position.
   */
  readonly place: number;
  readonly title: string;
  /** Returns whether the run has this tab. */
  readonly shown: (run: RunModel) => boolean;
  /** Creates the page; absent for the tab Columns. */
  readonly page?: (around: PageAround) => Page;
}
