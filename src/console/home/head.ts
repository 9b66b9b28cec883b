/** Draws the upper part of the home screen: everything that needs no file to be read. */
import { toLine } from '../../text/line.ts';
import { truncateLine } from '../../text/width.ts';
import type { Size } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
import { areaOf, areaRows, type TextInput } from '../ui/text-input.ts';

/** The blanks at the left of the home screen's contents. */
export const MARGIN = '  ';
/** The widest line that is comfortable to read. */
const READING_WIDTH = 110;
/**
 * Rows of the question's box: on large screens a share of the height, within these bounds, before it scrolls.
 */
const BOX = { most: 8, share: 0.5, least: 3 } as const;

/**
 * Returns the width of the home screen's contents in cells.
 *
 * @param columns the width of the terminal
 */
export function widthOf(columns: number): number {
  return Math.max(20, Math.min(READING_WIDTH, columns - 2 * MARGIN.length));
}

/**
 * Returns the width of the text boxes in cells.
 *
 * @param columns the width of the terminal
 */
export function boxCells(columns: number): number {
  return widthOf(columns) - 2;
}

/** Cells of the name, the blanks beside it, and the mark of a rehearsal. */
const BRAND = { name: 14, rehearsal: 13 } as const;

/**
 * Draws the first row of the home screen.
 *
 * @param rehearse whether the built-in stand-in will answer instead of models
 * @param due a sentence such as `2 decisions are due`, shown instead of the program's description
 */
export function brandRow(rehearse: boolean, theme: Theme, columns: number, due?: string): string {
  const loud = rehearse ? theme.inverse(theme.bold(' REHEARSAL ')) : '';
  const room = columns - BRAND.name - (rehearse ? BRAND.rehearsal : 0);
  const name = theme.bold(' deliberate');
  if (due === undefined)
    return `${name}  ${rehearse ? '' : theme.dim(truncateLine('decisions worth arguing about', room))}${loud}`;
  const about = truncateLine(`${toLine(due)}: deliberate due`, room);
  return `${name}  ${about}${rehearse ? `  ${loud}` : ''}`;
}

interface Box {
  readonly theme: Theme;
  readonly columns: number;
  /** The most rows that are available. */
  readonly most: number;
  /** The rows of the whole screen. */
  readonly rows: number;
  /** Whether the cursor is in the box. */
  readonly focus: boolean;
}

/** Draws the heading and the text of the question. */
export function questionRows(
  question: TextInput,
  { theme, columns, most, rows, focus }: Box,
): string[] {
  const share = Math.max(BOX.most, Math.floor(rows * BOX.share));
  const height = Math.max(BOX.least, Math.min(share, most));
  const box = areaRows(question, { cells: boxCells(columns), height, theme, focus });
  const markRow = (row: number): string => (row === 0 ? theme.bold('> ') : '  ');
  const written = question.text === '' && !focus ? [theme.dim('(nothing yet)')] : box.rows;
  const hidden = box.above + box.below > 0 ? `  (${box.above + box.below} more rows)` : '';
  return [
    theme.bold('What is to be decided?') + theme.dim(hidden),
    ...written.map((row, index) => markRow(index) + row),
  ];
}

/**
 * Draws the home screen before anything has been read from files.
 *
 * @param rehearse whether the built-in stand-in will answer instead of models
 */
export function firstHomeRows(rehearse: boolean, theme: Theme, { columns, rows }: Size): string[] {
  const question = questionRows(areaOf(''), { theme, columns, most: rows, rows, focus: true });
  const head = [brandRow(rehearse, theme, columns), '', ...question.map((row) => MARGIN + row)];
  return [...head, ...Array.from({ length: Math.max(0, rows - head.length) }, () => '')];
}
