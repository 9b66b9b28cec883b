/** What the viewer of a run gets from whoever opens it. */
import type { Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Playback } from '../replay/playback.ts';
import type { Size } from '../terminal/layout.ts';
import type { Copying } from './copying.ts';
import type { Actions, RunDrafts } from './ports.ts';
import type { ProtocolView } from './protocol-view.ts';

/** What a run's screen needs of the run, the terminal and the rest of the program. */
export interface ScreenContext {
  readonly runModel: LiveRun;
  /** How the console shows runs of the protocol. */
  readonly view: ProtocolView;
  /** What the person can do to the run; undefined if the run is only watched or played back. */
  readonly actions: Actions | undefined;
  /** Whether another process works on the run, so that only its console can act. */
  readonly elsewhere?: boolean | undefined;
  readonly copying: Copying;
  readonly drafts: RunDrafts;
  /** The controls of the playback, if the run is played back. */
  readonly playback?: Playback | undefined;
  readonly keymap: Keymap;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the size of the terminal. */
  readonly size: () => Size;
  /** Closes the console. */
  readonly leave: (reason: 'quit' | 'detached') => void;
  /** Called for Esc if nothing is open; absent if Esc leads nowhere. */
  readonly back?: (() => void) | undefined;
  /** Returns to the shell until the person enters `fg`. */
  readonly suspend: () => void;
  /** Draws the screen again. */
  readonly changed: () => void;
}
