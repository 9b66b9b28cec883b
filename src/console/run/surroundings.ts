/** What the viewer of a run is handed by whoever opens it. */
import type { Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Playback } from '../replay/playback.ts';
import type { Size } from '../terminal/layout.ts';
import type { Copying } from './copying.ts';
import type { Actions, RunDrafts } from './ports.ts';
import type { ProtocolView } from './protocol-view.ts';

/** What is around the viewer, and what it can do to it. */
export interface Surroundings {
  readonly runModel: LiveRun;
  readonly view: ProtocolView;
  readonly actions: Actions | undefined;
  /** Another process has the run, and the keys that act on it. */
  readonly elsewhere?: boolean | undefined;
  readonly copying: Copying;
  readonly drafts: RunDrafts;
  /** Where a recorded run is played back. */
  readonly playback?: Playback | undefined;
  readonly keymap: Keymap;
  readonly now: () => number;
  readonly size: () => Size;
  readonly leave: (reason: 'quit' | 'detached') => void;
  /** Esc where nothing is open; absent where it leads nowhere. */
  readonly back?: (() => void) | undefined;
  readonly suspend: () => void;
  /** Something looks different now. */
  readonly changed: () => void;
}
