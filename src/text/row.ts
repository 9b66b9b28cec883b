/**
 * Laid-out text: rows of spans. A span says what its text *is* (bold, code), not how it looks, which the
 * console's theme decides. Equal styles are the same object, so that rows can be compared and cached by
 * reference.
 */

export interface Style {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly heading: boolean;
  readonly dim: boolean;
  /** Whether it is an added or a removed line of a diff. */
  readonly added: boolean;
  readonly removed: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line on the screen. An empty row has no spans. */
export type Row = readonly Span[];

/** Styles as bits, the form in which the layout combines them. */
export const BOLD = 1;
export const ITALIC = 2;
export const STRIKE = 4;
export const CODE = 8;
export const HEADING = 16;
export const DIM = 32;
export const ADDED = 64;
export const REMOVED = 128;
const ALL = 255;

const styles: readonly Style[] = Array.from({ length: ALL + 1 }, (_, bits) =>
  Object.freeze({
    bold: (bits & BOLD) !== 0,
    italic: (bits & ITALIC) !== 0,
    strike: (bits & STRIKE) !== 0,
    code: (bits & CODE) !== 0,
    heading: (bits & HEADING) !== 0,
    dim: (bits & DIM) !== 0,
    added: (bits & ADDED) !== 0,
    removed: (bits & REMOVED) !== 0,
  }),
);

/** Returns the style object with exactly these bits. */
export function styleOf(bits: number): Style {
  return styles[bits & ALL] as Style;
}

export const PLAIN_STYLE: Style = styleOf(0);
export const DIM_STYLE: Style = styleOf(DIM);

/** Returns the text of a row without its styles. */
export function rowText(row: Row): string {
  let text = '';
  for (const span of row) text += span.text;
  return text;
}
