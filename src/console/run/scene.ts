/** All that a frame is drawn from. Read once, at the frame's beginning; screens only compose it. */
import type { LiveRun } from '../model/live-run.ts';
import type { Look } from './look.ts';
import type { Viewer } from './viewer.ts';

export interface Scene extends Look {
  readonly runModel: LiveRun;
  readonly viewer: Viewer;
}
