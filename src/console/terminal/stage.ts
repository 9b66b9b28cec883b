/**
 * A screen on the terminal, whichever it is: the run, the walk before one, home, the history, an
 * evaluation. While it stands, the terminal is held here: raw mode, the alternate screen, the window
 * title, sizes, suspending, lending it to another program, and putting all of it back on every way out, a
 * crash included. What is drawn while Ink still loads is `alternate.ts`'s, which hands over. Nobody else
 * writes to the terminal meanwhile, but for what changes no row: the clipboard (`run/copying.ts`), and the
 * bell or notice that calls a person back (`app/run/attention.ts`).
 */
import type { ReactNode } from 'react';
import { SYSTEM } from '../../platform/system.ts';
import { line } from '../../text/line.ts';
import { truncate } from '../../text/width.ts';
import { AlternateScreen } from './alternate.ts';
import { FrameClock } from './clock.ts';
import { FittedRows } from './fit-rows.ts';
import type { App, Mounted, Picture } from './ink.tsx';
import type { Screen } from './screen.ts';
import type { Theme } from './theme.ts';
import { isTooSmall, tooSmallRows } from './too-small.ts';

interface StageParts {
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly theme: Theme;
  /** What the window is called: other people's words, cleaned here. */
  readonly title: string;
  /** The screen as it is now; asked for once a frame, on a terminal that is large enough. */
  readonly rows: () => readonly string[];
  /** Loads what lies over the rows, which only Ink can draw. */
  readonly over?: () => Promise<() => ReactNode>;
  /** A key was pressed, by its name in the key tables. */
  readonly key: (key: string) => void;
  /** Text was pasted. */
  readonly paste: (text: string) => void;
  /** Whether seconds pass on the screen. */
  readonly ticking?: () => boolean;
}

export interface Stage {
  /** Resolves when the terminal is restored. Rejects with the defect that ended the screen. */
  readonly closed: Promise<void>;
  /** Resolves when keys are heard, or never will be. */
  readonly ready: Promise<void>;
  /** Something changed: it is drawn when the pace allows. */
  wake(): void;
  /** A person did something: they should see it now. */
  hurry(): void;
  /** Ends the screen and restores the terminal; with an error, `closed` rejects. */
  leave(error?: Error): void;
  /** Wraps work that others call: its defects end the screen and do not reach the caller. */
  guarded<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void;
  title(text: string): void;
  /** Gives the terminal back to the shell until the person says `fg`. */
  suspend(): void;
  /** Gives the terminal to another program, such as an editor, for as long as `work` takes. */
  lend<T>(work: () => Promise<T>): Promise<T>;
}

/** Longest wait for a terminal to take what is on its way before the program is put aside. */
const DRAIN_MS = 500;
/** The stop signal may be ignored (no job control): then the screen comes back after this. */
const STOPPED_MS = 150;

/** The first frame stands when this returns; Ink takes it over as soon as it is loaded. */
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
  #ink: Mounted | undefined;
  #over: (() => ReactNode) | undefined;
  /** Left before Ink was there. */
  #left: { readonly error: Error | undefined } | undefined;
  readonly #restoreTitle = (): void => this.#parts.screen.writeNow(RESTORE_TITLE);

  readonly #resized = this.guarded(() => {
    if (this.#app === undefined) return;
    this.#ink?.clear();
    this.#redraw();
  });

  readonly #continued = (): void => {
    // Stopped by somebody else's signal: the shell may have changed the terminal meanwhile.
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
    void this.lend(untilStopped).then(
      () => this.#clock.hurry(),
      (error: unknown) => this.#fail(error),
    );
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    if (this.#app === undefined) throw new Error('the screen is closed');
    let result: { readonly value: T } | undefined;
    // The other program says itself when it was stopped and goes on.
    process.off('SIGCONT', this.#continued);
    try {
      await this.#app.suspendTerminal(async () => {
        await untilTaken(this.#parts.screen);
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
    const { screen } = this.#parts;
    return {
      columns: screen.columns,
      height: screen.rows,
      rows: this.#rows(),
      over: isTooSmall(screen) ? undefined : this.#over?.(),
    };
  }

  #redraw(): void {
    // After the end a frame would mount the screen once more, raw mode and all.
    if (this.#app !== undefined) this.#ink?.draw();
  }

  /** Loads Ink and hands it the screen. */
  async #enter(): Promise<void> {
    const { screen, stdin, key, paste, over } = this.#parts;
    try {
      const [{ mount }, drawn] = await Promise.all([import('./ink.tsx'), over?.()]);
      this.#over = drawn;
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
      // Before Ink's own listener: what it draws then has the new size already.
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

/** Sets the window's title; what it was is saved before. */
function titleSequence(text: string): string {
  const title = line(text);
  return `\u001b]2;${truncate(title === '' ? 'deliberate' : title, LONGEST_TITLE)}\u0007`;
}
const RESTORE_TITLE = '\u001b[23;2t';

/** Waits until the terminal has what was drawn, though not for ever. */
async function untilTaken(screen: Screen): Promise<void> {
  const deadline = performance.now() + DRAIN_MS;
  while (screen.pending > 0 && performance.now() < deadline) await sleep(5);
}

/** Stops the program until somebody lets it go on. */
function untilStopped(): Promise<void> {
  return new Promise<void>((resolve) => {
    const back = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', back);
      resolve();
    };
    const timer = setTimeout(back, STOPPED_MS);
    process.on('SIGCONT', back);
    // The whole group, as the terminal itself would do it: under npx we are not alone in it.
    if (SYSTEM !== 'windows') process.kill(0, 'SIGTSTP');
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
