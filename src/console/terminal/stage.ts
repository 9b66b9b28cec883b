/**
 * A screen on the terminal: a run, the questions before one, home, history or an evaluation. While it is open,
 * this class controls the terminal: raw mode, the alternate screen, the window's title, sizes, suspending,
 * lending the terminal to another program, and restoring it at every end, crashes included. Before Ink is
 * loaded, `alternate.ts` draws and then hands over. Nothing else writes to the terminal meanwhile, except
 * sequences that change no row: the clipboard (`run/copying.ts`), and the bell or notice that calls a person
 * back (`app/run/attention.ts`).
 */
import { SYSTEM } from '../../platform/system.ts';
import { toLine } from '../../text/line.ts';
import { truncateLine } from '../../text/width.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Dialog } from '../ui/component.ts';
import type { dialogOver } from '../ui/dialog.tsx';
import { AlternateScreen } from './alternate.ts';
import { FrameClock } from './clock.ts';
import { FittedRows } from './fit-rows.ts';
import type { App, MountedScreen, Picture } from './ink.tsx';
import type { Screen } from './screen.ts';
import type { Theme } from './theme.ts';
import { isTooSmall, tooSmallRows } from './too-small.ts';

interface StageParts {
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly theme: Theme;
  /** The window's title; cleaned here. */
  readonly title: string;
  /** Returns the screen's rows. Called once for each frame, if the terminal is large enough. */
  readonly rows: () => readonly string[];
  /** Returns the dialog that is open over the rows; `keymap` has the keys that it names. */
  readonly dialogs?: { readonly keymap: Keymap; readonly open: () => Dialog | undefined };
  /** Called with the name of each key, as in the key tables. */
  readonly key: (key: string) => void;
  /** Called with pasted text. */
  readonly paste: (text: string) => void;
  /** Returns whether seconds advance on the screen. */
  readonly ticking?: () => boolean;
}

/** An open screen in the terminal. */
export interface Stage {
  /** Resolves when the terminal is restored. Rejects with an error of the screen. */
  readonly closed: Promise<void>;
  /** Resolves when the screen handles keys, or if it never will. */
  readonly ready: Promise<void>;
  /**
   * Requests a frame after a change. The frame is drawn as soon as the limit on frames per second
   * allows.
   */
  wake(): void;
  /** Requests a frame at once, for example after a key. */
  hurry(): void;
  /** Closes the screen and restores the terminal. With an error, `closed` rejects with it. */
  leave(error?: Error): void;
  /**
   * Wraps a callback so that it never throws. If the callback fails, the screen closes with the
   * error.
   */
  guarded<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void;
  /** Sets the title of the terminal's window. */
  title(text: string): void;
  /** Returns to the shell until the person enters `fg`. */
  suspend(): void;
  /**
   * Gives the terminal to another program, such as an editor, until `work` has finished. Rejects if the
   * screen is closed or does not handle keys yet.
   */
  lend<T>(work: () => Promise<T>): Promise<T>;
}

/** Milliseconds to wait for pending output before the program is suspended. */
const DRAIN_MS = 500;
/** If the stop signal is ignored (no job control), the screen returns after so many milliseconds. */
const STOPPED_MS = 150;

/** Opens a screen and draws its first frame. The library Ink takes over as soon as it is loaded. */
export function openStage(parts: StageParts): Stage {
  return new TerminalStage(parts);
}

class TerminalStage implements Stage {
  readonly closed: Promise<void>;
  readonly ready: Promise<void>;
  readonly #parts: StageParts;
  readonly #fitted = new FittedRows();
  readonly #clock: FrameClock;
  readonly #standing: AlternateScreen;
  #shownTitle: string;
  #app: App | undefined;
  #ink: MountedScreen | undefined;
  #drawDialog: typeof dialogOver | undefined;
  /** Set if the screen was closed before Ink was loaded. */
  #left: { readonly error: Error | undefined } | undefined;
  readonly #restoreTitle = (): void => this.#parts.screen.writeNow(RESTORE_TITLE);

  readonly #resized = this.guarded(() => {
    if (this.#app === undefined) return;
    this.#ink?.clear();
    this.#redraw();
  });

  readonly #continued = (): void => {
    // Another process had stopped this one by a signal. The shell may have changed the terminal meanwhile, so
    // let Ink set it up and draw again.
    this.#app?.suspendTerminal(() => undefined).catch(() => undefined);
  };

  constructor(parts: StageParts) {
    const { screen, stdin, title, ticking = () => false } = parts;
    this.#parts = parts;
    this.#clock = new FrameClock({
      draw: this.guarded(() => this.#redraw()),
      pending: () => screen.pending,
      ticking,
    });
    this.#shownTitle = title;
    process.on('exit', this.#restoreTitle);
    screen.write(SAVE_TITLE + titleSequence(title));
    this.#standing = AlternateScreen.on(screen, stdin);
    this.#standing.show(() => this.#rows());
    process.on('SIGCONT', this.#continued);
    this.ready = this.#enter();
    this.closed = this.#perform().finally(() => this.#restore());
  }

  wake(): void {
    this.#clock.wake();
  }

  hurry(): void {
    this.#clock.hurry();
  }

  leave(error?: Error): void {
    if (this.#ink === undefined) this.#left ??= { error };
    else this.#app?.exit(error);
  }

  guarded<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void {
    return (...args) => {
      try {
        work(...args);
      } catch (error) {
        this.#fail(error);
      }
    };
  }

  title(text: string): void {
    if (text !== this.#shownTitle) this.#parts.screen.write(titleSequence(text));
    this.#shownTitle = text;
  }

  suspend(): void {
    if (this.#app === undefined) return;
    void this.lend(suspendProcess).then(
      () => this.#clock.hurry(),
      (error: unknown) => this.#fail(error),
    );
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#app === undefined) throw new Error('the screen is closed');
    let result: { readonly value: T } | undefined;
    // The signal `SIGCONT` makes the console draw its screen again. Ignore the signal while another program, such as
    // an editor, has the terminal.
    process.off('SIGCONT', this.#continued);
    try {
      await this.#app.suspendTerminal(async () => {
        await waitUntilTaken(this.#parts.screen);
        result = { value: await work() };
      });
    } finally {
      process.on('SIGCONT', this.#continued);
    }
    if (result === undefined) throw new Error('the terminal was not handed over');
    return result.value;
  }

  #fail(error: unknown): void {
    this.leave(error instanceof Error ? error : new Error(String(error)));
  }

  #rows(): readonly string[] {
    const { screen, theme, rows } = this.#parts;
    const { columns } = screen;
    return isTooSmall(screen)
      ? tooSmallRows(columns, screen.rows, theme)
      : this.#fitted.of(rows(), columns);
  }

  #picture(): Picture {
    const { screen, theme, dialogs } = this.#parts;
    const { columns, rows } = screen;
    const dialog = isTooSmall(screen) ? undefined : dialogs?.open();
    const over =
      dialogs && dialog && this.#drawDialog?.(dialog, { theme, ...dialogs, columns, rows });
    return { columns, height: rows, rows: this.#rows(), over };
  }

  #redraw(): void {
    // Draw nothing after the end: a frame would mount the app again and switch raw mode on.
    if (this.#app !== undefined) this.#ink?.draw();
  }

  /** Loads Ink and hands it the screen. */
  async #enter(): Promise<void> {
    const { screen, stdin, key, paste, dialogs } = this.#parts;
    try {
      const [{ mountInk: mount }, drawn] = await Promise.all([
        import('./ink.tsx'),
        // The library that draws lists is loaded only for screens that have dialogs.
        dialogs && import('../ui/dialog.tsx'),
      ]);
      this.#drawDialog = drawn?.dialogOver;
      if (this.#left !== undefined) return;
      this.#ink = mount({
        screen: this.#standing.handOver(),
        stdin,
        picture: () => this.#picture(),
        onKey: this.guarded(key),
        onPaste: this.guarded(paste),
        enter: (app) => {
          this.#app = app;
        },
      });
      // Listen for a new size before Ink does, so that Ink draws a frame of the new size.
      screen.prependListener('resize', this.#resized);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Resolves when the screen has ended, whoever drew it last. */
  async #perform(): Promise<void> {
    await this.ready;
    if (this.#ink === undefined) {
      this.#standing.leave();
      if (this.#left?.error !== undefined) throw this.#left.error;
    } else await this.#ink.exited;
  }

  #restore(): void {
    const { screen } = this.#parts;
    this.#clock.stop();
    screen.off('resize', this.#resized);
    process.off('SIGCONT', this.#continued);
    process.off('exit', this.#restoreTitle);
    this.#standing.forget();
    screen.write(RESTORE_TITLE);
  }
}

const LONGEST_TITLE = 80;
const SAVE_TITLE = '\u001b[22;2t';

/** Returns the sequence that saves the window's title and sets another. */
function titleSequence(text: string): string {
  const title = toLine(text);
  return `\u001b]2;${truncateLine(title === '' ? 'deliberate' : title, LONGEST_TITLE)}\u0007`;
}
const RESTORE_TITLE = '\u001b[23;2t';

/** Waits until the terminal has taken what was drawn, up to a limit. */
async function waitUntilTaken(screen: Screen): Promise<void> {
  const deadline = performance.now() + DRAIN_MS;
  while (screen.pending > 0 && performance.now() < deadline) await sleep(5);
}

/** Stops the process until it is continued. */
function suspendProcess(): Promise<void> {
  return new Promise<void>((resolve) => {
    const resumeProcess = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', resumeProcess);
      resolve();
    };
    const timer = setTimeout(resumeProcess, STOPPED_MS);
    process.on('SIGCONT', resumeProcess);
    // Suspend the whole process group, as Ctrl-Z in a terminal does: with npx, it contains other processes.
    if (SYSTEM !== 'windows') process.kill(0, 'SIGTSTP');
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
