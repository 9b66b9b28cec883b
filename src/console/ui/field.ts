/** A text that is being written: what a key or a paste makes of it. Pure. */
import { textWidth } from '../../text/width.ts';
import { cleanLine } from '../terminal/door.ts';
import type { Theme } from '../terminal/theme.ts';

export interface Field {
  readonly text: string;
  /** Characters before the cursor. */
  readonly at: number;
}

export function fieldOf(text: string): Field {
  return { text, at: [...text].length };
}

/** A key in a text of one line, or in one line of several: moving and deleting end where it does. */
export function typed(field: Field, key: string): Field {
  const characters = [...field.text];
  const { at } = field;
  const cut = (from: number, to: number): Field => ({
    text: [...characters.slice(0, from), ...characters.slice(to)].join(''),
    at: from,
  });
  const before = characters.slice(0, at).join('');
  const after = characters.slice(at).join('');
  const start = at - lengthOf(/[^\n]*$/u.exec(before));
  const end = at + lengthOf(/^[^\n]*/u.exec(after));
  const wordLeft = at - lengthOf(/\S*\s*$/u.exec(before));
  const wordRight = at + lengthOf(/^\s*\S*/u.exec(after));
  switch (key) {
    case 'left':
      return { ...field, at: Math.max(0, at - 1) };
    case 'right':
      return { ...field, at: Math.min(characters.length, at + 1) };
    case 'ctrl+left':
    case 'alt+left':
    case 'alt+b':
      return { ...field, at: wordLeft };
    case 'ctrl+right':
    case 'alt+right':
    case 'alt+f':
      return { ...field, at: wordRight };
    case 'home':
    case 'ctrl+a':
      return { ...field, at: start };
    case 'end':
    case 'ctrl+e':
      return { ...field, at: end };
    case 'backspace':
      return cut(Math.max(0, at - 1), at);
    case 'delete':
      return cut(at, at + 1);
    case 'ctrl+u':
      return cut(start, at);
    case 'ctrl+k':
      return cut(at, end);
    case 'ctrl+w':
    case 'alt+backspace':
    case 'ctrl+backspace':
      return cut(wordLeft, at);
    case 'alt+d':
      return cut(at, wordRight);
    case 'space':
      return inserted(field, ' ');
    default:
      return [...key].length === 1 ? inserted(field, key) : field;
  }
}

function lengthOf(match: RegExpExecArray | null): number {
  return [...(match?.[0] ?? '')].length;
}

/** Pasted text becomes one line. */
export function pasted(field: Field, text: string): Field {
  return inserted(field, cleanLine(text));
}

export function inserted({ text, at }: Field, more: string): Field {
  const characters = [...text];
  return {
    text: [...characters.slice(0, at), more, ...characters.slice(at)].join(''),
    at: at + [...more].length,
  };
}

/** The field in `cells` cells, scrolled so that the cursor is seen. */
export function fieldRow({ text, at }: Field, cells: number, theme: Theme): string {
  const characters = [...text];
  let from = 0;
  while (textWidth(characters.slice(from, at).join('')) > cells - 3) from += 1;
  const under = characters[at] ?? ' ';
  const before = characters.slice(from, at).join('');
  let after = '';
  for (const one of characters.slice(at + 1)) {
    if (textWidth(before + under + after + one) > cells - 2) break;
    after += one;
  }
  const blank = ' '.repeat(Math.max(0, cells - 2 - textWidth(before + under + after)));
  return `> ${before}${theme.inverse(under)}${after}${blank}`;
}
