/** Opens the console on a run, and closes it. */

import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import { LiveRun } from '../model/live-run.ts';
import { Painter } from '../terminal/paint.ts';
import type { Screen } from '../terminal/screen.ts';
import { openStage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import { Copying } from './copying.ts';
import type { Subject, SystemAccess } from './ports.ts';
import type { ProtocolView } from './protocol-view.ts';
import type { Scene } from './scene.ts';
import { runRows } from './screen.ts';
import { Viewer } from './viewer.ts';
import { windowTitle } from './window-title.ts';

interface ConsoleOptions {
  readonly subject: Subject;
  /** The view of the run's protocol. */
  readonly view: ProtocolView;
  readonly outside: SystemAccess;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys;
  /** Whether it was opened from another screen, to which Esc returns. */
  readonly returns?: boolean;
  /** Returns milliseconds since 1970; tests pass a clock of their own. */
  readonly now?: () => number;
}

/**
 * How the console was left. `quit`: the person left. `detached`: the person stopped watching a run that goes on
 * elsewhere.
 */
interface Leaving {
  readonly reason: 'quit' | 'detached';
}

/** An open console of a run. */
export interface OpenConsole {
  /** Resolves when the terminal is restored. Rejects with an error of the console. */
  readonly closed: Promise<Leaving>;
  /** Resolves when the console handles keys, or if it never will. */
  readonly ready: Promise<void>;
  /** Closes the console and restores the terminal. `closed` resolves. */
  close(): void;
  /** Closes the console because something else has failed; `closed` rejects with that error. */
  fail(error: unknown): void;
}

const PULSE_MS = 500;

/**
 * Opens the console for a run.
 *
 * @throws UsageError if the person's key bindings are not valid
 */
export function openConsole(options: ConsoleOptions): OpenConsole {
  const { subject, view, outside, screen, stdin, env, keys, now = Date.now } = options;
  const keymap = keymapOf(keys);
  const theme = Theme.of(env);
  const painter = new Painter(theme, () => stage.wake());
  let reason: Leaving['reason'] = 'quit';

  const deskOf = (facts: Subject['facts']): LiveRun =>
    new LiveRun(facts, view, now, () => stage.wake());
  const viewerOf = (runModel: LiveRun): Viewer =>
    new Viewer({
      runModel,
      view,
      actions: subject.actions,
      elsewhere: subject.elsewhere,
      copying: new Copying(runModel, outside, screen),
      drafts: outside,
      playback: subject.playback,
      keymap,
      now,
      size: () => ({ columns: screen.columns, rows: screen.rows }),
      changed: () => stage.hurry(),
      leave: (why) => {
        reason = why;
        stage.leave();
      },
      ...(options.returns && { back: () => stage.leave() }),
      suspend: () => stage.suspend(),
    });
  let runModel = deskOf(subject.facts);
  let viewer = viewerOf(runModel);
  const sceneNow = (): Scene => sceneOf({ runModel, viewer, theme, painter, screen, now: now() });
  const stage = openStage({
    screen,
    stdin,
    theme,
    title: windowTitle(runModel, view),
    rows: () => runRows(sceneNow()),
    dialogs: {
      keymap,
      open: () => {
        const { dialog, reading } = viewer;
        // If the row of tabs leaves too few rows for a layout, the screen says so and shows no dialog.
        return dialog && reading.layout && dialog;
      },
    },
    key: (key) => viewer.key(key),
    paste: (text) => viewer.paste(text),
    ticking: () => runModel.isLive,
  });
  // The state of a run is computed from facts and can only go forward. To jump back, compute a new state from
  // the earlier facts and draw a new screen.
  subject.playback?.onRewind(
    stage.guarded((facts) => {
      const before = viewer;
      runModel = deskOf(facts);
      viewer = viewerOf(runModel);
      viewer.copyFrom(before);
      stage.hurry();
    }),
  );
  const forget = subject.feed.subscribe({
    fact: stage.guarded((fact) => {
      runModel.fact(fact);
      stage.title(windowTitle(runModel, view));
    }),
    live: stage.guarded((news) => runModel.live(news)),
  });
  stage.wake();

  const closed = stage.closed.finally(forget).then(() => ({ reason }));
  const fail = (error: unknown): void =>
    stage.leave(error instanceof Error ? error : new Error(String(error)));
  return { closed, ready: stage.ready, close: () => stage.leave(), fail };
}

function sceneOf(
  parts: Pick<Scene, 'runModel' | 'viewer' | 'theme' | 'painter' | 'now'> & { screen: Screen },
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
