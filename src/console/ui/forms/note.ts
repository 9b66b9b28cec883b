/** A note: one line for whoever is asked next. */
import { truncate } from '../../../text/width.ts';
import { type Field, fieldOf, fieldRow, pasted, typed } from '../field.ts';
import type { Form, FormLook } from './form.ts';

export class NoteForm implements Form {
  readonly title: string;
  readonly hints = ['Enter send', 'Esc cancel'];
  readonly width = 72;
  readonly #send: (text: string) => void;
  #field: Field = fieldOf('');

  constructor(whom: string, send: (text: string) => void) {
    this.title = `A note to ${whom}`;
    this.#send = send;
  }

  key(key: string): boolean {
    if (key !== 'enter') this.#field = typed(this.#field, key);
    else if (this.#field.text.trim() !== '') this.#send(this.#field.text.trim());
    return key !== 'enter';
  }

  paste(text: string): void {
    this.#field = pasted(this.#field, text);
  }

  rows({ theme, cells }: FormLook): string[] {
    const hint = theme.dim(truncate('Enter sends it · Esc cancels', cells));
    return ['', fieldRow(this.#field, cells, theme), '', hint];
  }
}
