/**
 * The interface of everything that is drawn and receives keys: pages of tabs, dialogs, gates. A component
 * returns its rows and handles keys and pastes.
 */
import { keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import type { List } from './list.ts';

/** Something on the screen that can receive keys. `Context` is what it is drawn from. */
export interface Component<Context> {
  render(context: Context): string[];
  /**
   * Handles a key by its name in the program's own table. Returns false if the component is done and can be
   * closed.
   */
  key?(key: string): boolean;
  /** Handles pasted text. Absent while no text is typed. */
  readonly paste?: ((text: string) => void) | undefined;
  /** What its keys do, for the last line of the screen. */
  readonly hints?: Hints;
}

/** What keys do, in the footer's order: by commands of dialogs, or by keys of the component's own. */
export type Hints = Readonly<Partial<Record<Name | 'previous next' | OwnKey, string>>>;
type Name = CommandOf<'dialogs'>;
type OwnKey = 'y' | 'n' | 'Space' | 'Tab';

/** The inside of a dialog's box, in which it draws. */
export interface Room {
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly cells: number;
  readonly height: number;
}

/**
 * A box over the screen in which a person chooses or types something. Esc closes it; the viewer knows which one
 * is open.
 */
export interface Dialog extends Component<Room> {
  readonly title: string;
  /** The width that it uses if the screen has it, in cells. */
  readonly width: number;
  readonly hints: Hints;
  key(key: string): boolean;
  /** Returns the list below its rows, in at most `height` rows. */
  list?(height: number): { readonly list: List; readonly height: number } | undefined;
  /** Handles Esc: goes one step back inside the dialog. Returns false if it should close. */
  back?(): boolean;
  /** Returns whether its question no longer applies, so that it closes by itself. */
  moot?(): boolean;
}

/** Formats hints with a person's own keys: `Enter send`, `Up Down other`. */
export function hintWords(keymap: Keymap, hints: Hints): string[] {
  const shown = (name: string): string =>
    Object.hasOwn(keymap.dialogs, name) ? keyIn(keymap, 'dialogs', name as Name) : name;
  return Object.entries(hints).map(
    ([names, does]) => `${names.split(' ').map(shown).join(' ')} ${does}`,
  );
}
