/** All that a frame is drawn from. Read once, at the frame's beginning; screens only compose it. */
import type { Desk } from '../model/desk.ts';
import type { Layout } from '../terminal/layout.ts';
import type { Painter } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';
import type { Viewer } from './viewer.ts';

export interface Scene {
  readonly desk: Desk;
  readonly viewer: Viewer;
  readonly theme: Theme;
  readonly painter: Painter;
  readonly columns: number;
  readonly rows: number;
  /** Absent where the terminal is too small. */
  readonly layout: Layout | undefined;
  readonly now: number;
  /** `now` in steps of half a second, for figures that would otherwise flicker with every frame. */
  readonly pulse: number;
}
