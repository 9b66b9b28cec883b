/**
 * Rows of text with styles. Equal styles are the same object, so that rows can be compared and cached by
 * reference.
 */

/** What a piece of text is, such as bold or code. The console's theme decides how each property looks. */
export interface Style {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly heading: boolean;
  readonly dim: boolean;
  /** Whether the text is an added line of a diff. */
  readonly added: boolean;
  /** Whether the text is a removed line of a diff. */
  readonly removed: boolean;
}

/** A piece of a row with one style. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One row on the screen, as pieces with styles. An empty row has no pieces. */
export type Row = readonly Span[];

/** The bit of a style that makes text bold. Styles are combined as bits while text is laid out. */
export const BOLD = 1;
/** The bit of a style that makes text italic. */
export const ITALIC = 2;
/** The bit of a style that strikes text through. */
export const STRIKE = 4;
/** The bit of a style that marks code. */
export const CODE = 8;
/** The bit of a style that marks a heading. */
export const HEADING = 16;
/** The bit of a style that makes text dim. */
export const DIM = 32;
/** The bit of a style that marks an added line of a diff. */
export const ADDED = 64;
/** The bit of a style that marks a removed line of a diff. */
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

/** Returns the style for a combination (bitwise or) of the bits `BOLD` to `REMOVED`; 0 is ordinary text. */
export function styleOf(bits: number): Style {
  return styles[bits & ALL] as Style;
}

/** The style of ordinary text. */
export const PLAIN_STYLE: Style = styleOf(0);
/** The style of dim text. */
export const DIM_STYLE: Style = styleOf(DIM);

/** Returns the text of a row without its styles. */
export function rowText(row: Row): string {
  let text = '';
  for (const span of row) text += span.text;
  return text;
}
