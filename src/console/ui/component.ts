/**
 * What can stand on the screen and have the keys: a page of a tab, a dialog, a gate. It draws itself as
 * rows from what it is given, and is told keys and pastes.
 */
import { keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import type { List } from './list.ts';

export interface Component<Context> {
  render(context: Context): string[];
  /** A key, by its name in the program's own table. False: done with, and closed. */
  key?(key: string): boolean;
  /** Absent where nothing is written at the moment. */
  readonly paste?: ((text: string) => void) | undefined;
  /** What its keys do, for the last line of the screen. */
  readonly hints?: Hints;
}

/** What keys do here, in the footer's order: keys of dialogs by their commands, or some of its own. */
export type Hints = Readonly<Partial<Record<Name | 'previous next' | OwnKey, string>>>;
type Name = CommandOf<'dialogs'>;
type OwnKey = 'y' | 'n' | 'Space' | 'Tab';

/** What a dialog is drawn from: the inside of its box. */
export interface Room {
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly cells: number;
  readonly height: number;
}

/**
 * A box over the screen in which a person chooses or says something. Esc closes any of them; which one
 * is open is the viewer's business.
 */
export interface Dialog extends Component<Room> {
  readonly title: string;
  /** Cells it fills where the screen has them. */
  readonly width: number;
  readonly hints: Hints;
  key(key: string): boolean;
  /** What is chosen from, below its rows, in at most `height` rows. */
  list?(height: number): { readonly list: List; readonly height: number } | undefined;
  /** Esc goes back a step inside it. False: it closes. */
  back?(): boolean;
  /** What it asks is no question any more. */
  moot?(): boolean;
}

/** `Enter send`, `Up Down other`, with a person's own keys. */
export function hintWords(keymap: Keymap, hints: Hints): string[] {
  const shown = (name: string): string =>
    Object.hasOwn(keymap.dialogs, name) ? keyIn(keymap, 'dialogs', name as Name) : name;
  return Object.entries(hints).map(
    ([names, does]) => `${names.split(' ').map(shown).join(' ')} ${does}`,
  );
}
