/** Everything a frame is drawn from, read once at its beginning. */
import type { LiveRun } from '../model/live-run.ts';
import type { PageScene } from './page-scene.ts';
import type { Viewer } from './viewer.ts';

/** Everything that a run's screen is drawn from. */
export interface Scene extends PageScene {
  readonly runModel: LiveRun;
  readonly viewer: Viewer;
}
