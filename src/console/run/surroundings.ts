/** What the viewer of a run gets from whoever opens it. */
import type { Keymap } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Playback } from '../replay/playback.ts';
import type { Size } from '../terminal/layout.ts';
import type { Copying } from './copying.ts';
import type { Actions, RunDrafts } from './ports.ts';
import type { ProtocolView } from './protocol-view.ts';

/** The run, the terminal and the actions available to a viewer. */
export interface Surroundings {
  readonly runModel: LiveRun;
  readonly view: ProtocolView;
  readonly actions: Actions | undefined;
  /** Whether another process owns the run, so that its console has the acting keys. */
  readonly elsewhere?: boolean | undefined;
  readonly copying: Copying;
  readonly drafts: RunDrafts;
  /** The playback of a recorded run. */
  readonly playback?: Playback | undefined;
  readonly keymap: Keymap;
  readonly now: () => number;
  readonly size: () => Size;
  readonly leave: (reason: 'quit' | 'detached') => void;
  /** Called for Esc if nothing is open; absent if Esc leads nowhere. */
  readonly back?: (() => void) | undefined;
  readonly suspend: () => void;
  /** Call this when something visible has changed. */
  readonly changed: () => void;
}
