/** Who is absent from the next round. */

import type { Form, FormLook } from '../../../console/ui/forms/form.ts';
import { padEnd, truncate } from '../../../text/width.ts';
import { type StressChoice, selected } from './stress.ts';

export class StressForm implements Form {
  readonly title = 'The next round is held';
  readonly hints = ['Enter choose', 'Up Down other', 'Esc cancel'];
  readonly width = 46;
  readonly #choices: readonly StressChoice[];
  readonly #choose: (choice: StressChoice) => void;
  #at = 0;

  constructor(choices: readonly StressChoice[], choose: (choice: StressChoice) => void) {
    this.#choices = choices;
    this.#choose = choose;
  }

  key(key: string): boolean {
    if (key !== 'enter') {
      this.#at = selected(this.#at, key, this.#choices.length);
      return true;
    }
    const choice = this.#choices[this.#at];
    if (choice !== undefined) this.#choose(choice);
    return false;
  }

  rows({ theme, cells }: FormLook): string[] {
    return this.#choices.map(({ words }, index) => {
      const text = padEnd(truncate(`${index === this.#at ? '>' : ' '} ${words}`, cells), cells);
      return index === this.#at ? theme.inverse(text) : text;
    });
  }
}
