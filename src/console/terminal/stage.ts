/**
 * A screen on the terminal, whichever it is: the run, the walk before one, home, the history. What
 * touches the terminal is here and only here: raw mode, the alternate screen, the window title, sizes,
 * suspending, lending it to another program, and putting all of it back on every way out, a crash
 * included.
 */
import type { ReactNode } from 'react';
import { truncate } from '../../text/width.ts';
import type { Screen } from '../replay/ports.ts';
import { AlternateScreen } from './alternate.ts';
import { FrameClock } from './clock.ts';
import { cleanLine } from './door.ts';
import type { App, Mounted, Picture } from './ink.tsx';
import type { Theme } from './theme.ts';
import { isTooSmall, tooSmallRows } from './too-small.ts';

export interface StageParts {
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
  const { screen, stdin, theme, ticking = () => false } = parts;
  let app: App | undefined;
  let ink: Mounted | undefined;
  let over: (() => ReactNode) | undefined;
  /** Left before Ink was there. */
  let left: { readonly error: Error | undefined } | undefined;

  const leave = (error?: Error): void => {
    if (ink === undefined) left ??= { error };
    else app?.exit(error);
  };
  const fail = (error: unknown): void =>
    leave(error instanceof Error ? error : new Error(String(error)));
  const guarded =
    <A extends unknown[]>(work: (...args: A) => void) =>
    (...args: A): void => {
      try {
        work(...args);
      } catch (error) {
        fail(error);
      }
    };
  const rowsNow = (): readonly string[] =>
    isTooSmall(screen) ? tooSmallRows(screen.columns, screen.rows, theme) : parts.rows();
  const picture = (): Picture => ({
    columns: screen.columns,
    height: screen.rows,
    rows: rowsNow(),
    over: isTooSmall(screen) ? undefined : over?.(),
  });
  const redraw = (): void => {
    // After the end a frame would mount the screen once more, raw mode and all.
    if (app !== undefined) ink?.draw();
  };
  const clock = new FrameClock({
    draw: guarded(redraw),
    pending: () => screen.pending,
    ticking,
  });

  let shown = parts.title;
  const restoreTitle = (): void => screen.writeNow(RESTORE_TITLE);
  process.on('exit', restoreTitle);
  screen.write(SAVE_TITLE + titleSequence(shown));
  const standing = AlternateScreen.on(screen, stdin);
  standing.show(rowsNow);
  // Before Ink's own listener: what it draws then has the new size already.
  const resized = guarded(() => {
    if (app === undefined) return;
    ink?.clear();
    redraw();
  });
  const continued = (): void => {
    // Stopped by somebody else's signal: the shell may have changed the terminal meanwhile.
    app?.suspendTerminal(() => undefined).catch(() => undefined);
  };
  process.on('SIGCONT', continued);

  const entered = async (): Promise<void> => {
    try {
      const [{ mount }, drawn] = await Promise.all([import('./ink.tsx'), parts.over?.()]);
      over = drawn;
      if (left === undefined) {
        ink = mount({
          screen: standing.handOver(),
          stdin,
          picture,
          onKey: guarded(parts.key),
          onPaste: guarded(parts.paste),
          enter: (entered) => {
            app = entered;
          },
        });
        screen.prependListener('resize', resized);
      }
    } catch (error) {
      fail(error);
    }
  };
  const ready = entered();
  const performed = async (): Promise<void> => {
    await ready;
    if (ink === undefined) {
      standing.leave();
      if (left?.error !== undefined) throw left.error;
    } else await ink.exited;
  };

  const lend = async <T>(work: () => Promise<T>): Promise<T> => {
    if (app === undefined) throw new Error('the screen is closed');
    let result: { readonly value: T } | undefined;
    // The other program says itself when it was stopped and goes on.
    process.off('SIGCONT', continued);
    try {
      await app.suspendTerminal(async () => {
        await untilTaken(screen);
        result = { value: await work() };
      });
    } finally {
      process.on('SIGCONT', continued);
    }
    if (result === undefined) throw new Error('the terminal was not given away');
    return result.value;
  };
  const closed = performed().finally(() => {
    clock.stop();
    screen.off('resize', resized);
    process.off('SIGCONT', continued);
    process.off('exit', restoreTitle);
    standing.forget();
    screen.write(RESTORE_TITLE);
  });
  return {
    closed,
    ready,
    wake: () => clock.wake(),
    hurry: () => clock.hurry(),
    leave,
    guarded,
    title: (text) => {
      if (text !== shown) screen.write(titleSequence(text));
      shown = text;
    },
    suspend: () => {
      if (app !== undefined) void lend(untilStopped).then(() => clock.hurry(), fail);
    },
    lend,
  };
}

/** Leaves where the system wants the program to end; `forget` takes the listeners away again. */
export function leaveOnSignals(leave: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}

const LONGEST_TITLE = 80;
const SAVE_TITLE = '\u001b[22;2t';

/** Sets the window's title; what it was is saved before. */
function titleSequence(text: string): string {
  const line = cleanLine(text);
  return `\u001b]2;${truncate(line === '' ? 'deliberate' : line, LONGEST_TITLE)}\u0007`;
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
    process.kill(0, 'SIGTSTP');
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
