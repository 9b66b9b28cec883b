/** Opens a screen on the terminal: draws its state, hands it keys, and does what it asks for. */
import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { leaveOnSignals } from '../terminal/signals.ts';
import { openStage, type Stage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import type { Dialog } from '../ui/component.ts';
import { type ShellState, withMessage } from './overlay.ts';
import type { ShellLook } from './page.ts';

/** What a screen needs of the terminal and the person's settings. */
export interface ShellOptions {
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
  /** Returns milliseconds since 1970; tests pass a clock of their own. */
  readonly now?: () => number;
}

/** A screen: its first state, how it is drawn, and what keys do to it. */
interface ShellParts<State extends ShellState<State>> {
  readonly state: State;
  /** The title of the terminal's window at first. */
  readonly title: string;
  readonly rows: (state: State, look: ShellLook) => readonly string[];
  readonly press: (state: State, key: string, look: ShellLook) => State;
  readonly paste: (state: State, text: string, look: ShellLook) => State;
  /** Does what the state asks for. The shell itself suspends the program. */
  readonly fulfil: (effect: NonNullable<State['effect']>) => void;
  /** Called before a new state is shown; returns the state to show. */
  readonly settle?: (next: State, before: State) => State;
  /** Whether dialogs can open over the screen; the library that draws them is then loaded. */
  readonly hasDialogs?: boolean;
  /** Returns whether seconds advance on the screen. */
  readonly ticking?: () => boolean;
}

/**
 * An open screen other than a run's, such as the home screen: keeps its state, changes the state by
 * keys, and draws it.
 */
export class Shell<State extends ShellState<State>> {
  readonly stage: Stage;
  readonly #parts: ShellParts<State>;
  readonly #look: () => ShellLook;
  #state: State;
  #isLeft = false;

  /** @throws UsageError if the person's key bindings are not valid */
  constructor(options: ShellOptions, parts: ShellParts<State>) {
    const { screen, stdin, env, keys, now = Date.now } = options;
    const keymap = keymapOf(keys);
    const theme = Theme.of(env);
    this.#parts = parts;
    this.#state = parts.state;
    this.#look = () => {
      const { columns, rows } = screen;
      return { theme, keymap, columns, rows, now: now() };
    };
    const { rows, press, paste, title, hasDialogs, ticking } = parts;
    this.stage = openStage({
      screen,
      stdin,
      theme,
      title,
      rows: () => rows(this.#state, this.#look()),
      key: (key) => this.change(press(this.#state, key, this.#look())),
      paste: (text) => this.change(paste(this.#state, text, this.#look())),
      ...(hasDialogs && { dialogs: { keymap, open: () => dialogOf(this.#state) } }),
      ...(ticking !== undefined && { ticking }),
    });
  }

  get state(): State {
    return this.#state;
  }

  /** Shows another state and does what its `effect` asks for. Does nothing after `leave`. */
  change(next: State): void {
    if (this.#isLeft) return;
    const { effect, ...rest } = next;
    const { settle } = this.#parts;
    const state = { ...rest, effect: undefined } as unknown as State;
    this.#state = settle === undefined ? state : settle(state, this.#state);
    if (effect?.kind === 'suspend') this.stage.suspend();
    else if (effect !== undefined) this.#parts.fulfil(effect);
    this.stage.hurry();
  }

  /** Shows a message. */
  say(text: string, bad = false): void {
    this.change(withMessage(this.#state, text, bad));
  }

  /** Shows an error as a message. */
  readonly failed = (error: unknown): void => this.say(messageOf(error), true);

  /** Closes the screen. Later changes are ignored. */
  leave(): void {
    this.#isLeft = true;
    this.stage.leave();
  }

  /**
   * Resolves when the screen is closed and the terminal restored; rejects if the screen failed. Until then,
   * signals to the process close the screen.
   *
   * @param ignores returns whether a signal is meant for another program
   */
  async closed(ignores: (signal: NodeJS.Signals) => boolean = () => false): Promise<void> {
    const forget = leaveOnSignals((signal) => {
      if (!ignores(signal)) this.stage.leave();
    });
    try {
      await this.stage.closed;
    } finally {
      forget();
    }
  }
}

function dialogOf<State>({ over }: ShellState<State>): Dialog | undefined {
  return over?.kind === 'dialog' ? over.dialog : undefined;
}
