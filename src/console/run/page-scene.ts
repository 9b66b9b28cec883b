/** What a page is drawn from: the run, the size, and how this terminal shows color. */
import type { RunModel } from '../model/run-model.ts';
import type { Layout } from '../terminal/layout.ts';
import type { Painter } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';

export interface PageScene {
  readonly runModel: RunModel;
  readonly theme: Theme;
  readonly painter: Painter;
  readonly columns: number;
  readonly rows: number;
  /** Absent if the terminal is too small. */
  readonly layout: Layout | undefined;
  readonly now: number;
  /** `now` in steps of half a second, for figures that would otherwise flicker with every frame. */
  readonly pulse: number;
}
