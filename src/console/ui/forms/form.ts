/**
 * A dialog in which a person says something to the run: its keys and its rows in one object. Esc
 * closes any of them; which one is open is the viewer's business.
 */
import type { Theme } from '../../terminal/theme.ts';

export interface FormLook {
  readonly theme: Theme;
  /** Of what is inside the box. */
  readonly cells: number;
  readonly height: number;
}

export interface Form {
  readonly title: string;
  /** What its keys do, for the last line of the screen. */
  readonly hints: readonly string[];
  /** Cells it fills where the screen has them. */
  readonly width: number;
  /** A key other than Esc. False: the form is done with and closes. */
  key(key: string): boolean;
  paste?(text: string): void;
  rows(look: FormLook): string[];
}
