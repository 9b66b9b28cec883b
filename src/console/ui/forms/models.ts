/** Choosing a model: what is typed narrows the list, and is itself a choice where it names one whole. */
import { padEnd, truncate } from '../../../text/width.ts';
import type { ModelOffer } from '../../replay/ports.ts';
import { cleanLine } from '../../terminal/door.ts';
import { type Field, fieldOf, fieldRow, pasted, typed } from '../field.ts';
import type { Form, FormLook } from './form.ts';

/** What the providers offer; absent where nobody can be asked. */
export type Offers = (() => Promise<readonly ModelOffer[]>) | undefined;

export class ModelChoice {
  field: Field = fieldOf('');
  /** Among `matches`; -1: none was picked yet. */
  at = -1;
  #offers: readonly ModelOffer[] = [];
  /** What there is to say instead of a list. */
  #word = 'Type provider/model.';

  /** `changed` is called when the list has come. */
  constructor(offers: Offers, changed: () => void) {
    if (offers === undefined) return;
    this.#word = 'Asking the providers for their models …';
    offers().then(
      (found) => {
        this.#offers = found;
        this.#word = found.length === 0 ? 'No provider offers a model.' : 'No model is called so.';
        changed();
      },
      () => {
        this.#word = 'The providers could not be asked. Type provider/model.';
        changed();
      },
    );
  }

  /** Models with every typed word in their name. */
  get matches(): readonly ModelOffer[] {
    const words = this.field.text.toLowerCase().split(/\s+/);
    return this.#offers.filter(({ spec }) =>
      words.every((one) => spec.toLowerCase().includes(one)),
    );
  }

  /** Undefined where nothing is picked, or what is typed names none. */
  get chosen(): string | undefined {
    const text = this.field.text.trim();
    const picked = this.matches[this.at]?.spec;
    if (picked !== undefined) return picked;
    if (this.#offers.some(({ spec }) => spec === text)) return text;
    if (text === '') return undefined;
    return this.matches[0]?.spec ?? (/^[^/\s]+\/\S+$/.test(text) ? text : undefined);
  }

  /** Something was typed that is no model. */
  get puzzles(): boolean {
    return this.field.text.trim() !== '' && this.chosen === undefined;
  }

  move(by: 1 | -1): void {
    const { length } = this.matches;
    if (length > 0) this.at = (Math.max(-by, this.at) + by + length) % length;
  }

  type(key: string): void {
    const before = this.field.text;
    this.field = typed(this.field, key);
    if (this.field.text !== before) this.at = -1;
  }

  paste(text: string): void {
    this.field = pasted(this.field, text);
    this.at = -1;
  }

  /** The models that fit, the chosen one marked; or why there are none. */
  rows({ theme, cells, height }: FormLook): string[] {
    const { matches, chosen } = this;
    const at = matches.findIndex(({ spec }) => spec === chosen);
    const first = Math.max(0, Math.min(at - (height >> 1), matches.length - height));
    const rows = matches.slice(first, first + height).map(({ spec, detail }) => {
      const text = `${spec === chosen ? '>' : ' '} ${cleanLine(spec)}  ${cleanLine(detail)}`;
      const row = padEnd(truncate(text, cells), cells);
      return spec === chosen ? theme.inverse(row) : row;
    });
    if (rows.length === 0) {
      const typedOne = chosen === undefined ? this.#word : `Enter takes ${cleanLine(chosen)}.`;
      rows.push(theme.dim(truncate(typedOne, cells)));
    }
    return rows.slice(0, height);
  }
}

/** Another model for a seat. */
export class ModelForm implements Form {
  readonly title: string;
  readonly hints = ['Enter choose', 'Up Down other', 'Esc cancel'];
  readonly width = 60;
  readonly #choice: ModelChoice;
  readonly #choose: (model: string) => void;

  constructor(title: string, choice: ModelChoice, choose: (model: string) => void) {
    this.title = title;
    this.#choice = choice;
    this.#choose = choose;
  }

  key(key: string): boolean {
    const { chosen } = this.#choice;
    if (key === 'down' || key === 'tab') this.#choice.move(1);
    else if (key === 'up' || key === 'shift+tab') this.#choice.move(-1);
    else if (key !== 'enter') this.#choice.type(key);
    else if (chosen !== undefined) {
      this.#choose(chosen);
      return false;
    }
    return true;
  }

  paste(text: string): void {
    this.#choice.paste(text);
  }

  rows(look: FormLook): string[] {
    const height = Math.max(1, Math.min(10, look.height - 1));
    const rows = this.#choice.rows({ ...look, height });
    while (rows.length < height) rows.push('');
    return [fieldRow(this.#choice.field, look.cells, look.theme), ...rows];
  }
}
