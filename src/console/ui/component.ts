/**
 * The interface of everything that is drawn and receives keys: pages of tabs, dialogs, gates. A component
 * returns its rows and handles keys and pastes.
 */
import { keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import type { List } from './list.ts';

/** A part of the screen that can receive keys. It is drawn from a `Context`. */
export interface Component<Context> {
  /** Draws the component as rows. */
  render(context: Context): string[];
  /** Handles a key by its built-in name. Returns false if the component should close after this key. */
  key?(key: string): boolean;
  /** Handles pasted text; absent while no text is typed. */
  readonly paste?: ((text: string) => void) | undefined;
  /** What the keys do, as shown in the last row of the screen. */
  readonly hints?: Hints;
}

/** What keys do, by command, in the order of the last row. */
export type Hints = Readonly<Partial<Record<Name | 'previous next' | OwnKey, string>>>;
type Name = CommandOf<'dialogs'>;
type OwnKey = 'y' | 'n' | 'Space' | 'Tab';

/** The inside of a dialog's box. */
export interface DialogArea {
  readonly theme: Theme;
  readonly keymap: Keymap;
  /** The width in cells. */
  readonly cells: number;
  /** The height in rows. */
  readonly height: number;
}

/** A box over the screen in which a person chooses or types something. Esc closes the box, or leads back in it. */
export interface Dialog extends Component<DialogArea> {
  readonly title: string;
  /** The width in cells, if the screen has room. */
  readonly width: number;
  readonly hints: Hints;
  key(key: string): boolean;
  /** Returns the list below the dialog's rows, with the number of rows for it, at most `height`. */
  list?(height: number): { readonly list: List; readonly height: number } | undefined;
  /**
   * Handles Esc: goes one step back inside the dialog. Returns false if the dialog should close. Absent if
   * Esc always closes it.
   */
  back?(): boolean;
  /** Returns whether the dialog's question has become pointless, so that the dialog closes. */
  moot?(): boolean;
}

/** Formats what keys do, with the person's key bindings: `Enter send`, `Up Down other`. */
export function formatHints(keymap: Keymap, hints: Hints): string[] {
  const formatKey = (name: string): string =>
    Object.hasOwn(keymap.dialogs, name) ? keyIn(keymap, 'dialogs', name as Name) : name;
  return Object.entries(hints).map(
    ([names, does]) => `${names.split(' ').map(formatKey).join(' ')} ${does}`,
  );
}
