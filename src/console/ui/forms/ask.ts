/** A further question to the same seats, in a box of several lines. */
import { textWidth, truncate } from '../../../text/width.ts';
import type { Theme } from '../../terminal/theme.ts';
import { type Field, fieldOf, pasted, typed } from '../field.ts';
import type { Form, FormLook } from './form.ts';

const LINES = 6;

export class AskForm implements Form {
  readonly title = 'A further question to the same seats';
  readonly hints = ['Enter ask', 'Esc cancel'];
  readonly width = 72;
  readonly #ask: (question: string) => void;
  #field: Field = fieldOf('');

  constructor(ask: (question: string) => void) {
    this.#ask = ask;
  }

  key(key: string): boolean {
    if (key !== 'enter') this.#field = typed(this.#field, key);
    else if (this.#field.text.trim() !== '') this.#ask(this.#field.text.trim());
    return key !== 'enter' || this.#field.text.trim() === '';
  }

  paste(text: string): void {
    this.#field = pasted(this.#field, text);
  }

  rows({ theme, cells, height }: FormLook): string[] {
    const seen = Math.max(1, Math.min(LINES, height - 4));
    const { lines, cursor } = fieldLines(this.#field, cells, theme);
    const top = Math.max(0, cursor - seen + 1);
    const shown = lines.slice(top, top + seen);
    while (shown.length < seen) shown.push('');
    const hint = 'They see the last synthesis. Enter asks · Esc cancels';
    return ['', ...shown, '', theme.dim(truncate(hint, cells))];
  }
}

/** The text broken at blanks into lines of `cells`, and the line that has the cursor. */
function fieldLines(
  { text, at }: Field,
  cells: number,
  theme: Theme,
): { lines: string[]; cursor: number } {
  // The cursor behind the last character stands on a blank of its own.
  const characters = [...text, ' '];
  const starts = [0];
  let blank = -1;
  for (const [index, one] of characters.entries()) {
    const start = starts.at(-1) ?? 0;
    if (textWidth(characters.slice(start, index + 1).join('')) > cells)
      starts.push(blank > start ? blank : index);
    if (one === ' ') blank = index + 1;
  }
  const cursor = starts.findLastIndex((start) => start <= at);
  const lines = starts.map((start, index) =>
    characters
      .slice(start, starts[index + 1] ?? characters.length)
      .map((one, offset) => (start + offset === at ? theme.inverse(one) : one))
      .join(''),
  );
  return { lines, cursor };
}
