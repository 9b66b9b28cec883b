/** A yes or no before something that costs. */
import { wrapPlain } from '../../../text/wrap.ts';
import type { Form, FormLook } from './form.ts';

export class ConfirmForm implements Form {
  readonly title: string;
  readonly hints = ['Enter start', 'Esc cancel'];
  readonly width = 64;
  readonly #text: string;
  readonly #confirmed: () => void;

  constructor(title: string, text: string, confirmed: () => void) {
    this.title = title;
    this.#text = text;
    this.#confirmed = confirmed;
  }

  key(key: string): boolean {
    if (key === 'enter' || key === 'y') this.#confirmed();
    return key !== 'enter' && key !== 'y' && key !== 'n' && key !== 'q';
  }

  rows({ theme, cells, height }: FormLook): string[] {
    const text = this.#text.split('\n').flatMap((line) => wrapPlain(line, cells));
    return [
      '',
      ...text.slice(0, Math.max(1, height - 3)),
      '',
      theme.dim('Enter starts it · Esc cancels'),
    ];
  }
}
