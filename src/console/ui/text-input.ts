/**
 * A text that a person types, of one line or several: what keys and pastes do to it, its undo history, and its
 * rows. Pure.
 */
import { toLine } from '../../text/line.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { textWidth } from '../../text/width.ts';
import { commandIn } from '../keys/key-lookup.ts';
import { KEYMAP } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';

/** A text, and the number of characters before the cursor. */
interface Draft {
  readonly text: string;
  readonly at: number;
}

/** The state of a text field: its text, and `at`, the number of characters before the cursor. */
export interface TextInput extends Draft {
  /** Whether the text may have several lines. */
  readonly lines: boolean;
  /** Earlier states, for undo, the latest last. */
  readonly past: readonly Draft[];
}

/** How many changes can be undone. */
const MEMORY = 200;
const TAB = '  ';

/** Creates a text field of one line that contains `text`. */
export function fieldOf(text: string): TextInput {
  return { text, at: [...text].length, lines: false, past: [] };
}

/** Creates a text field of several lines that contains `text`. */
export function areaOf(text: string): TextInput {
  return { ...fieldOf(cleanText(text)), lines: true };
}

function cleanText(text: string): string {
  return sanitiseText(text.replace(/\r\n?/g, '\n')).replace(/\t/g, TAB);
}

/**
 * Applies a key to a text field. Returns the new state.
 * @param key the key's built-in name
 * @param cells the width of the rows, by which up and down move
 */
export function typeKey(
  input: TextInput,
  key: string,
  cells = Number.POSITIVE_INFINITY,
): TextInput {
  const characters = [...input.text];
  const { at } = input;
  const moveTo = (next: number): TextInput => ({ ...input, at: next });
  const removeRange = (from: number, end: number): TextInput =>
    changeText(input, [...characters.slice(0, from), ...characters.slice(end)].join(''), from);
  const before = characters.slice(0, at).join('');
  const after = characters.slice(at).join('');
  const start = at - lengthOf(/[^\n]*$/u.exec(before));
  const end = at + lengthOf(/^[^\n]*/u.exec(after));
  const wordLeft = at - lengthOf(/\S*\s*$/u.exec(before));
  const wordRight = at + lengthOf(/^\s*\S*/u.exec(after));
  switch (key) {
    case 'left':
      return moveTo(glyphBefore(characters, at));
    case 'right':
      return moveTo(glyphAfter(characters, at));
    case 'up':
      return input.lines ? moveTo(rowBeside(input, -1, cells)) : input;
    case 'down':
      return input.lines ? moveTo(rowBeside(input, 1, cells)) : input;
    case 'backspace':
      return removeRange(glyphBefore(characters, at), at);
    case 'delete':
      return removeRange(at, glyphAfter(characters, at));
    case 'space':
      return insertText(input, ' ');
  }
  switch (commandIn(KEYMAP, 'dialogs', key, 'text')) {
    case 'word-left':
      return moveTo(wordLeft);
    case 'word-right':
      return moveTo(wordRight);
    case 'line-start':
      return moveTo(start);
    case 'line-end':
      return moveTo(end);
    case 'delete-word':
      return removeRange(wordLeft, at);
    case 'delete-next-word':
      return removeRange(at, wordRight);
    case 'delete-to-start':
      return removeRange(start, at);
    case 'delete-to-end':
      return removeRange(at, end);
    case 'new-line':
      return input.lines ? insertText(input, '\n') : input;
    case 'undo': {
      const last = input.past.at(-1);
      return last === undefined ? input : { ...input, ...last, past: input.past.slice(0, -1) };
    }
    default:
      return [...key].length === 1 ? insertText(input, key) : input;
  }
}

/**
 * Inserts pasted text into a text field. Line breaks stay if the text may have several lines.
 * Returns the new state.
 */
export function pasteText(input: TextInput, text: string): TextInput {
  return insertText(input, input.lines ? cleanText(text) : toLine(text));
}

/** Replaces the text of a text field. Undo brings the earlier text back. Returns the new state. */
export function replaceText(input: TextInput, text: string): TextInput {
  const clean = cleanText(text);
  return changeText(input, clean, [...clean].length);
}

/**
 * Replaces a backslash before the cursor by a line break, for Enter after a backslash. Returns
 * undefined if there is no backslash, or if the text may have only one line.
 */
export function continueLine(input: TextInput): TextInput | undefined {
  const characters = [...input.text];
  if (!input.lines || characters[input.at - 1] !== '\\') return undefined;
  characters.splice(input.at - 1, 1, '\n');
  return changeText(input, characters.join(''), input.at);
}

/**
 * Returns whether a vertical arrow key would leave the text: the key is `up` and the cursor is in the
 * first row, or the key is `down` and the cursor is in the last row.
 *
 * @param key `up` or `down`
 * @param cells the width by which the text is wrapped into rows
 */
export function atEdge(input: TextInput, key: string, cells: number): boolean {
  const rows = wrapRows(input.text, cells);
  const row = rowOf(rows, input.at);
  return key === 'up' ? row === 0 : row === rows.length - 1;
}

function insertText(input: TextInput, more: string): TextInput {
  const characters = [...input.text];
  characters.splice(input.at, 0, more);
  return changeText(input, characters.join(''), input.at + [...more].length);
}

function changeText(input: TextInput, text: string, at: number): TextInput {
  if (text === input.text) return { ...input, at };
  const past = [...input.past, { text: input.text, at: input.at }].slice(-MEMORY);
  return { ...input, text, at, past };
}

function lengthOf(match: RegExpExecArray | null): number {
  return [...(match?.[0] ?? '')].length;
}

/** Returns whether a character combines with the one before it, so that the cursor cannot be in front of it. */
function isMark(character: string | undefined): boolean {
  return character !== undefined && character !== '\n' && textWidth(character) === 0;
}

function glyphBefore(characters: readonly string[], at: number): number {
  let from = at - 1;
  while (from > 0 && isMark(characters[from])) from -= 1;
  return Math.max(0, from);
}

function glyphAfter(characters: readonly string[], at: number): number {
  let end = at + 1;
  while (isMark(characters[end])) end += 1;
  return Math.min(characters.length, end);
}

interface FieldLook {
  /** Text before the input. */
  readonly mark?: string;
  /** Text shown while the input is empty. */
  readonly hint?: string;
}

/** Draws a text field of one line in `cells` cells, scrolled so that the cursor is visible. */
export function fieldRow(
  { text, at }: Draft,
  cells: number,
  theme: Theme,
  { mark = '> ', hint = '' }: FieldLook = {},
): string {
  const characters = [...text];
  const most = cells - textWidth(mark);
  let from = at;
  for (let width = 0; from > 0; from -= 1) {
    width += textWidth(characters[from - 1] ?? '');
    if (width > most - 1) break;
  }
  const before = characters.slice(from, at).join('');
  const next = glyphAfter(characters, at);
  const under = characters.slice(at, next).join('') || ' ';
  let room = most - textWidth(before + under);
  let after = '';
  for (const character of characters.slice(next)) {
    room -= textWidth(character);
    if (room < 0) break;
    after += character;
  }
  if (text === '' && hint !== '') return `${mark}${theme.inverse(' ')} ${theme.dim(hint)}`;
  const blank = ' '.repeat(Math.max(0, most - textWidth(before + under + after)));
  return `${mark}${before}${theme.inverse(under)}${after}${blank}`;
}

interface AreaLook {
  readonly cells: number;
  readonly height: number;
  readonly theme: Theme;
  readonly focus: boolean;
}

/**
 * Draws a text field of several lines in `height` rows, scrolled so that the cursor is visible.
 *
 * @returns the rows, and how many rows are hidden above and below
 */
export function areaRows(
  { text, at }: Draft,
  { cells, height, theme, focus }: AreaLook,
): { readonly rows: string[]; readonly above: number; readonly below: number } {
  const all = wrapRows(text, cells);
  const characters = [...text];
  const cursor = rowOf(all, at);
  const top = Math.max(0, Math.min(cursor - (height >> 1), all.length - height));
  const rows = all.slice(top, top + height).map(({ from, to }, index) => {
    if (!focus || top + index !== cursor) return characters.slice(from, to).join('');
    const next = Math.min(to, glyphAfter(characters, at));
    const under = characters.slice(at, next).join('') || ' ';
    const before = characters.slice(from, at).join('');
    return before + theme.inverse(under) + characters.slice(Math.max(at, next), to).join('');
  });
  return { rows, above: top, below: Math.max(0, all.length - top - height) };
}

/**
 * A row: the index of its first character, and the index after its last one. The row includes the blank at
 * which it was wrapped, but no line break.
 */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the rows of a text, wrapped at blanks if possible. The last cell is left for the cursor. */
function wrapRows(text: string, cells: number): Span[] {
  const room = Math.max(1, cells - 1);
  const spans: Span[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const characters = [...line];
    let from = 0;
    let width = 0;
    let blank = -1;
    for (let at = 0; at < characters.length; at += 1) {
      const character = characters[at] ?? '';
      width += textWidth(character);
      if (width > room && at > from) {
        // Keep the blank at the end of its row, so that every character has a position.
        const end = blank >= from ? blank + 1 : at;
        spans.push({ from: offset + from, to: offset + end });
        from = end;
        width = textWidth(characters.slice(from, at + 1).join(''));
        blank = -1;
      }
      if (character === ' ') blank = at;
    }
    spans.push({ from: offset + from, to: offset + characters.length });
    offset += characters.length + 1;
  }
  return spans;
}

function rowOf(spans: readonly Span[], at: number): number {
  const row = spans.findLastIndex(({ from }) => from <= at);
  return Math.max(0, row);
}

/** Returns the position in the row above or below, at the same distance from its start. */
function rowBeside({ text, at }: Draft, by: number, cells: number): number {
  const spans = wrapRows(text, cells);
  const row = rowOf(spans, at);
  const here = spans[row];
  const there = spans[row + by];
  if (here === undefined || there === undefined) return at;
  const isLast = spans[row + by + 1]?.from !== there.to;
  return Math.min(there.from + (at - here.from), isLast ? there.to : there.to - 1);
}
