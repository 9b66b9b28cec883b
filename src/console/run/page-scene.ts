/** What a page is drawn from: the run, the size, and how this terminal shows color. */
import type { RunModel } from '../model/run-model.ts';
import type { Layout } from '../terminal/layout.ts';
import type { Painter } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';

/** What the page of a tab is drawn from. */
export interface PageScene {
  readonly runModel: RunModel;
  readonly theme: Theme;
  readonly painter: Painter;
  /** The width of the screen in cells. */
  readonly columns: number;
  /** The height of the screen in rows. */
  readonly rows: number;
  /** The division of the screen; undefined if the terminal is too small. */
  readonly layout: Layout | undefined;
  /** The time in milliseconds since 1970. */
  readonly now: number;
  /** `now` rounded down to half a second, for numbers that should not change in every frame. */
  readonly pulse: number;
}
