/**
 * A text of several lines that is being written. The field does what happens within a line; here are
 * lines, the way up and down, what was there before, and the rows that are drawn. Pure.
 */
import { sanitise } from '../../text/sanitise.ts';
import { textWidth } from '../../text/width.ts';
import type { Theme } from '../terminal/theme.ts';
import { type Field, fieldOf, inserted, typed } from './field.ts';

export interface Area extends Field {
  /** What was there before the last changes, the latest last. */
  readonly past: readonly Field[];
}

/** How many changes can be taken back. */
const MEMORY = 200;
const TAB = '  ';

export function areaOf(text: string): Area {
  return { ...fieldOf(cleanText(text)), past: [] };
}

/** Other people's words for a place that has lines. */
function cleanText(text: string): string {
  return sanitise(text.replace(/\r\n?/g, '\n')).replace(/\t/g, TAB);
}

/** The area after a key. `cells` is the width it is drawn in: up and down go by rows. */
export function written(area: Area, key: string, cells: number): Area {
  switch (key) {
    case 'ctrl+j':
    case 'alt+enter':
    case 'shift+enter':
      return changed(area, inserted(area, '\n'));
    case 'ctrl+_': {
      const before = area.past.at(-1);
      return before === undefined ? area : { ...before, past: area.past.slice(0, -1) };
    }
    case 'up':
      return { ...area, at: vertical(area, -1, cells) };
    case 'down':
      return { ...area, at: vertical(area, 1, cells) };
    default:
      return changed(area, typed(area, key));
  }
}

/** Pasted lines stay lines. */
export function poured(area: Area, text: string): Area {
  return changed(area, inserted(area, cleanText(text)));
}

/** The whole text replaced, as an editor does; it can be taken back. */
export function replaced(area: Area, text: string): Area {
  return changed(area, fieldOf(cleanText(text)));
}

/** A backslash right before the cursor, which makes the Enter after it a new line. */
export function continued(area: Area): Area | undefined {
  if ([...area.text][area.at - 1] !== '\\') return undefined;
  return changed(area, inserted(typed(area, 'backspace'), '\n'));
}

/** Where the cursor cannot go further up, or down. */
export function atEdge(area: Area, key: string, cells: number): boolean {
  const rows = layout(area.text, cells);
  const row = rowOf(rows, area.at);
  return key === 'up' ? row === 0 : row === rows.length - 1;
}

/** The rows of the area through `height` rows, the cursor among them. */
export function areaRows(
  area: Field,
  { cells, height, theme, focus }: AreaLook,
): { readonly rows: string[]; readonly above: number; readonly below: number } {
  const all = layout(area.text, cells);
  const characters = [...area.text];
  const cursor = rowOf(all, area.at);
  const top = Math.max(0, Math.min(cursor - (height >> 1), all.length - height));
  const rows = all.slice(top, top + height).map(({ from, to }, index) => {
    const text = characters.slice(from, to);
    if (!focus || top + index !== cursor) return text.join('');
    const column = area.at - from;
    return (
      text.slice(0, column).join('') +
      theme.inverse(text[column] ?? ' ') +
      text.slice(column + 1).join('')
    );
  });
  return { rows, above: top, below: Math.max(0, all.length - top - height) };
}

export interface AreaLook {
  readonly cells: number;
  readonly height: number;
  readonly theme: Theme;
  readonly focus: boolean;
}

function changed(area: Area, next: Field): Area {
  if (next.text === area.text) return { ...area, at: next.at };
  const { text, at } = area;
  return { ...next, past: [...area.past, { text, at }].slice(-MEMORY) };
}

/** A row: its first character, and the one after its last; line ends and the blank of a wrap left out. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The rows of a text, wrapped at blanks where there are any; the last cell is left to the cursor. */
function layout(text: string, cells: number): Span[] {
  const room = Math.max(1, cells - 1);
  const spans: Span[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const characters = [...line];
    let from = 0;
    let width = 0;
    let blank = -1;
    for (let at = 0; at < characters.length; at += 1) {
      const one = characters[at] ?? '';
      width += textWidth(one);
      if (width > room && at > from) {
        // The blank stays at the end of its row, so that every character has a place.
        const end = blank >= from ? blank + 1 : at;
        spans.push({ from: offset + from, to: offset + end });
        from = end;
        width = textWidth(characters.slice(from, at + 1).join(''));
        blank = -1;
      }
      if (one === ' ') blank = at;
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

function vertical({ text, at }: Field, by: number, cells: number): number {
  const spans = layout(text, cells);
  const row = rowOf(spans, at);
  const here = spans[row];
  const there = spans[row + by];
  if (here === undefined || there === undefined) return at;
  const isLast = spans[row + by + 1]?.from !== there.to;
  return Math.min(there.from + (at - here.from), isLast ? there.to : there.to - 1);
}
