/**
 * What can be open over any screen and then receives the keys: the help, a search, a dialog, or a question that
 * `y` confirms. Also what the states of all screens have in common, and how keys reach them.
 */
import { commandIn, dialogKey } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap, Scope } from '../keys/keymap.ts';
import { explainElsewhere } from '../keys/places.ts';
import { type Dialog, formatHints, type Hints } from '../ui/component.ts';
import { pasteText, type TextInput, typeKey } from '../ui/text-input.ts';
import { HelpPage } from './help.ts';

/** A message in the last rows. */
export interface Message {
  readonly text: string;
  /** Whether the message reports a failure. */
  readonly bad: boolean;
}

/** Words that are typed and then looked up. `State` is the state of the screen. */
export interface SearchField<State> {
  readonly kind: 'search';
  readonly input: TextInput;
  readonly hints: Hints;
  /** Narrows a list while the words are typed. If this function is given, Down leads to the list, as Enter does. */
  readonly typed?: (state: State, input: TextInput) => State;
  /** Called for Enter. The field is closed in the state that it gets. */
  readonly entered: (state: State, input: TextInput) => State;
  /** Called for Esc. The field is closed in the state that it gets. */
  readonly canceled: (state: State) => State;
}

/** A question over a screen that only `y` confirms; every other key that the question gets refuses. */
export interface Question<State> {
  readonly kind: 'question';
  /** The question: its beginning is cut off if there is too little room, its end never. */
  readonly text: readonly [beginning: string, end: string];
  readonly tone: 'red' | 'yellow';
  readonly hints: Hints;
  readonly confirmed: (state: State) => State;
  readonly refused: (state: State) => State;
}

/** What is open over a screen and receives the keys. */
export type Overlay<State> =
  | { readonly kind: 'help'; readonly page: HelpPage }
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  | SearchField<State>
  | Question<State>;

/** What the states of all screens have in common. */
export interface ShellState<State> {
  /** What is open over the screen. */
  readonly over?: Overlay<State> | undefined;
  /** A message in the last rows. It is shown until the next key. */
  readonly notice?: Message | undefined;
  /** What the screen has to do now. */
  readonly effect?: { readonly kind: string } | undefined;
}

/** How a screen handles keys. */
interface KeyHandling<State, S extends Exclude<Scope, 'run' | 'dialogs'>> {
  readonly keymap: Keymap;
  readonly scope: S;
  /** The part of the screen by which keys are looked up. */
  readonly place: string;
  /** Handles a key that works whatever is open. Returns undefined for all others. */
  readonly always?: (
    state: State,
    command: CommandOf<S> | undefined,
    pressed: string,
  ) => State | undefined;
  /** Handles a key while nothing is open, by its command and its built-in name. */
  readonly perform: (state: State, command: CommandOf<S> | undefined, key: string) => State;
}

/** Returns a state with a message in the last rows. */
export function withMessage<State extends ShellState<State>>(
  state: State,
  text: string,
  bad = false,
): State {
  return { ...state, notice: { text, bad } };
}

/**
 * Returns a state with a message that says in which other part of the screen a key works. Returns the state
 * unchanged if the key works in no part of the screen.
 */
export function withElsewhere<State extends ShellState<State>>(
  state: State,
  keymap: Keymap,
  scope: Exclude<Scope, 'run'>,
  key: string,
): State {
  const words = explainElsewhere(keymap, scope, key);
  return words === undefined ? state : withMessage(state, words);
}

/** Returns a state with the help open over the screen. */
export function withHelp<State extends ShellState<State>>(state: State): State {
  return { ...state, over: { kind: 'help', page: new HelpPage() } };
}

/** Returns a state with a dialog open over the screen. */
export function withDialog<State extends ShellState<State>>(state: State, dialog: Dialog): State {
  return { ...state, over: { kind: 'dialog', dialog } };
}

/**
 * Returns the state of a screen after a key.
 *
 * @param pressed the name of the key
 */
export function pressIn<
  State extends ShellState<State>,
  S extends Exclude<Scope, 'run' | 'dialogs'>,
>(before: State, pressed: string, handling: KeyHandling<State, S>): State {
  const { keymap, scope, place, always, perform } = handling;
  const state = { ...before, notice: undefined, effect: undefined };
  const { over } = state;
  const command = commandIn(keymap, scope, pressed, place);
  const isText = over?.kind === 'search' || over?.kind === 'dialog';
  // In a search or a dialog, a letter may be text, even if the person has made it the key that suspends the
  // program.
  if (command === 'suspend' && (!isText || [...pressed].length > 1))
    return { ...state, effect: { kind: 'suspend' } };
  const done = always?.(state, command, pressed);
  if (done !== undefined) return done;
  const key = dialogKey(keymap, pressed);
  if (over === undefined) return perform(state, command, key);
  return keyOver(state, over, key, keymap, command);
}

/**
 * Hands a key to the overlay (help, dialog, search or question) that is open over a screen, and returns the
 * screen's next state.
 *
 * @param key the built-in name of the key
 * @param command the command that the key has on the screen below
 */
export function keyOver<State extends ShellState<State>>(
  state: State,
  over: Overlay<State>,
  key: string,
  keymap: Keymap,
  command: string | undefined,
): State {
  const closed = { ...state, over: undefined };
  switch (over.kind) {
    case 'help':
      return over.page.key(key, keymap, command) ? { ...state } : closed;
    case 'dialog': {
      const stays = key === 'escape' ? over.dialog.back?.() === true : over.dialog.key(key);
      return stays ? { ...state } : closed;
    }
    case 'search': {
      const { typed = (same: State) => same } = over;
      if (key === 'escape') return over.canceled(closed);
      if (key === 'enter' || (key === 'down' && over.typed !== undefined))
        return over.entered(closed, over.input);
      const input = typeKey(over.input, key);
      return { ...typed(state, input), over: { ...over, input } };
    }
    case 'question':
      return key.toLowerCase() === 'y' ? over.confirmed(closed) : over.refused(closed);
  }
}

/**
 * Pastes text into the search or dialog that is open over a screen, and returns the screen's next state.
 * Returns undefined if nothing that takes text is open over the screen.
 */
export function pasteOver<State extends ShellState<State>>(
  state: State,
  text: string,
): State | undefined {
  const { over } = state;
  if (over?.kind === 'search') {
    const input = pasteText(over.input, text);
    return { ...(over.typed?.(state, input) ?? state), over: { ...over, input } };
  }
  if (over?.kind !== 'dialog' || over.dialog.paste === undefined) return undefined;
  over.dialog.paste(text);
  return { ...state };
}

/** Returns what the keys do while something is open over a screen, for the last row. */
export function hintsOver<State>(over: Overlay<State>, keymap: Keymap): string[] {
  switch (over.kind) {
    case 'help':
      return over.page.hints(keymap);
    case 'dialog':
      return formatHints(keymap, over.dialog.hints);
    case 'search':
    case 'question':
      return formatHints(keymap, over.hints);
  }
}
