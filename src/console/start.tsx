/**
 * Opens the console on a run and closes it again. Everything that touches the terminal is here: raw
 * mode, the alternate screen, the window title, suspending, and putting all of it back on every way
 * out, a crash included.
 */
import { type Instance, render, useApp } from 'ink';
import { type ReactNode, useLayoutEffect } from 'react';
import { FrameClock } from './clock.ts';
import { Copying } from './copying.ts';
import { Desk } from './desk.ts';
import { KEYMAP, rebind } from './keymap.ts';
import { Painter } from './paint.ts';
import type { Outside, Screen, Subject } from './ports.ts';
import type { Scene } from './scene.ts';
import { type Hand, RunScreen } from './screens/run.tsx';
import { colourDepth, type Environment, Theme } from './theme.ts';
import { Viewer } from './viewer.ts';
import { WindowTitle } from './window-title.ts';

export interface ConsoleOptions {
  readonly subject: Subject;
  readonly outside: Outside;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  /** A person's own keys, as `rebind` takes them. */
  readonly keys?: Readonly<Record<string, string | readonly string[]>>;
  /** Milliseconds since 1970; tests set the hands themselves. */
  readonly now?: () => number;
}

/** `quit`: the person left. `detached`: the person stopped watching a run that goes on elsewhere. */
export interface Leaving {
  readonly reason: 'quit' | 'detached';
}

export interface OpenConsole {
  /** Resolves when the terminal is restored. Rejects with the defect that ended the console. */
  readonly closed: Promise<Leaving>;
  /** Leaves and restores the terminal, for signals and runs that go away. `closed` resolves. */
  close(): void;
  /** The same for a defect elsewhere: `closed` rejects with it. */
  fail(error: unknown): void;
}

type App = ReturnType<typeof useApp>;

/** Longest wait for a terminal to take what is on its way before the program is put aside. */
const DRAIN_MS = 500;
/** The stop signal may be ignored (no job control): then the screen comes back after this. */
const STOPPED_MS = 150;
const PULSE_MS = 500;

/** @throws UsageError where `keys` names a command or key that does not exist, or one key twice. */
export function openConsole(options: ConsoleOptions): OpenConsole {
  const { subject, outside, screen, stdin, env, keys = {}, now = Date.now } = options;
  const keymap = rebind(KEYMAP, keys);
  if (keymap instanceof Error) throw keymap;
  const theme = new Theme(colourDepth(env));
  const painter = new Painter(theme);
  let reason: Leaving['reason'] = 'quit';
  let app: App | undefined;
  let instance: Instance | undefined;

  const leave = (error?: Error): void => app?.exit(error);
  const fail = (error: unknown): void =>
    leave(error instanceof Error ? error : new Error(String(error)));
  /** The console's defects end the console; they must not reach the run that told it something. */
  const guarded =
    <A extends unknown[]>(work: (...args: A) => void) =>
    (...args: A): void => {
      try {
        work(...args);
      } catch (error) {
        fail(error);
      }
    };

  const deskOf = (facts: Subject['facts']): Desk => new Desk(facts, now, () => clock.wake());
  const viewerOf = (desk: Desk): Viewer =>
    new Viewer({
      desk,
      actions: subject.actions,
      copying: new Copying(desk, outside, screen),
      playback: subject.playback,
      keymap,
      now,
      size: () => ({ columns: screen.columns, rows: screen.rows }),
      changed: () => clock.hurry(),
      leave: (why) => {
        reason = why;
        leave();
      },
      suspend: () => {
        if (app !== undefined) void suspend(app, screen).then(() => clock.hurry(), fail);
      },
    });
  let desk = deskOf(subject.facts);
  let viewer = viewerOf(desk);
  // A fold cannot be unfolded: going back means knowing less, so both begin anew.
  subject.playback?.onRewind(
    guarded((facts) => {
      const before = viewer;
      desk = deskOf(facts);
      viewer = viewerOf(desk);
      viewer.standAs(before);
      clock.hurry();
    }),
  );
  const hand: Hand = {
    key: guarded((key) => viewer.key(key)),
    paste: guarded((text) => viewer.paste(text)),
    answer: guarded((value) => viewer.answer(value)),
  };
  const enter = (entered: App | undefined): void => {
    app = entered;
  };
  const element = (): ReactNode => (
    <Frame
      hand={hand}
      scene={sceneOf({ desk, viewer, theme, painter, screen, now: now() })}
      enter={enter}
    />
  );
  const clock = new FrameClock({
    draw: guarded(() => {
      // After the end a frame would mount the screen once more, raw mode and all.
      if (app !== undefined) instance?.rerender(element());
    }),
    pending: () => screen.pending,
    ticking: () => desk.sitting,
  });

  const title = new WindowTitle((text) => screen.write(text));
  title.show(desk);
  instance = render(element(), {
    stdout: screen as unknown as NodeJS.WritableStream,
    stdin,
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  // Before Ink's own listener: what it draws then has the new size already.
  const resized = guarded(() => {
    if (app === undefined) return;
    instance?.clear();
    instance?.rerender(element());
  });
  screen.prependListener('resize', resized);
  const continued = (): void => {
    // Stopped by somebody else's signal: the shell may have changed the terminal meanwhile.
    app?.suspendTerminal(() => undefined).catch(() => undefined);
  };
  process.on('SIGCONT', continued);
  const forget = subject.feed.subscribe({
    fact: guarded((one) => {
      desk.fact(one);
      title.show(desk);
    }),
    live: guarded((news) => desk.live(news)),
  });
  clock.wake();

  const closed = instance
    .waitUntilExit()
    .finally(() => {
      clock.stop();
      forget();
      screen.off('resize', resized);
      process.off('SIGCONT', continued);
      title.restore();
    })
    .then(() => ({ reason }));
  return { closed, close: () => leave(), fail };
}

interface FrameProps {
  readonly scene: Scene;
  readonly hand: Hand;
  /** Told the app when it is mounted, and `undefined` when it is unmounted or has crashed. */
  readonly enter: (app: App | undefined) => void;
}

function Frame({ scene, hand, enter }: FrameProps): ReactNode {
  const app = useApp();
  useLayoutEffect(() => {
    enter(app);
    return () => enter(undefined);
  }, [app, enter]);
  return <RunScreen scene={scene} hand={hand} />;
}

function sceneOf(
  parts: Pick<Scene, 'desk' | 'viewer' | 'theme' | 'painter' | 'now'> & { screen: Screen },
): Scene {
  const { screen, ...scene } = parts;
  return {
    ...scene,
    columns: screen.columns,
    rows: screen.rows,
    layout: parts.viewer.reading.layout,
    pulse: Math.floor(parts.now / PULSE_MS) * PULSE_MS,
  };
}

/** Gives the terminal back to the shell until the person says `fg`. */
async function suspend(app: App, screen: Screen): Promise<void> {
  await app.suspendTerminal(async () => {
    const deadline = performance.now() + DRAIN_MS;
    while (screen.pending > 0 && performance.now() < deadline) await sleep(5);
    await new Promise<void>((resolve) => {
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
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
