/** A form for a text to somebody who is asked next: a note, or a further question. */
import { truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { type Dialog, type DialogArea, formatHints, type Hints } from '../component.ts';
import {
  areaOf,
  areaRows,
  continueLine,
  pasteText,
  type TextInput,
  typeKey,
} from '../text-input.ts';

interface Parts {
  readonly title: string;
  /** What Enter does, as a word (`send`) and in a sentence (`sends it`). */
  readonly does: readonly [word: string, words: string];
  /** A label before the text, on its line. */
  readonly hint?: string;
  /** A sentence above the text that says what to write. */
  readonly about?: string;
  /** The height of the empty text field, in rows. */
  readonly rows: number;
  /** The stored draft. `keep` stores the text after every change, and an empty draft once the text is sent. */
  readonly draft: { readonly text: string; keep(text: string): void };
  readonly send: (text: string) => void;
}

/** The most rows of the text that are visible. */
const MOST = 6;
const MARK = '> ';

/** A dialog in which a person types a text. */
export class TextForm implements Dialog {
  readonly title: string;
  readonly hints: Hints;
  readonly width = 72;
  readonly #parts: Parts;
  #input: TextInput;
  #cells = this.width;

  constructor(parts: Parts) {
    this.title = parts.title;
    this.#parts = parts;
    this.#input = areaOf(parts.draft.text);
    this.hints = { accept: parts.does[0], 'new-line': 'new line', cancel: 'later' };
  }

  key(key: string): boolean {
    if (key !== 'enter') {
      this.#write(typeKey(this.#input, key, this.#cells));
      return true;
    }
    const line = continueLine(this.#input);
    const text = this.#input.text.trim();
    if (line !== undefined) this.#write(line);
    else {
      if (text !== '') this.#parts.send(text);
      this.#parts.draft.keep('');
    }
    return line !== undefined;
  }

  paste(text: string): void {
    this.#write(pasteText(this.#input, text));
  }

  #write(input: TextInput): void {
    if (input.text !== this.#input.text) this.#parts.draft.keep(input.text);
    this.#input = input;
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    const { rows: least, does, hint, about } = this.#parts;
    this.#cells = cells - MARK.length;
    const told = about === undefined ? [] : ['', ...wrapPlain(about, cells)];
    const above = told.slice(0, Math.max(0, height - 4));
    const most = Math.max(1, Math.min(MOST, height - 3 - above.length));
    const look = { cells: this.#cells, height: most, theme, focus: true };
    const { rows } = areaRows(this.#input, look);
    while (rows.length < Math.min(least, most)) rows.push('');
    const keys = formatHints(keymap, { accept: does[1], cancel: 'keeps it for later' }).join(' · ');
    return [
      ...above.map((row) => theme.dim(row)),
      '',
      ...rows.map((row, index) => (index === 0 ? MARK : '  ') + row),
      '',
      theme.dim(truncateLine(hint === undefined ? keys : `${hint} ${keys}`, cells)),
    ];
  }
}
