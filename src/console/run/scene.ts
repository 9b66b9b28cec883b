/** All that a frame is drawn from. Read once, at the frame's beginning; screens only compose it. */
import type { LiveRun } from '../model/live-run.ts';
import type { PageScene } from './page-scene.ts';
import type { Viewer } from './viewer.ts';

export interface Scene extends PageScene {
  readonly runModel: LiveRun;
  readonly viewer: Viewer;
}
