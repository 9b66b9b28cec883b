/** Chooses a model: typed text narrows the list, and is itself a choice if it is a full model name. */
import { splitSpec } from '../../../kernel/providers/spec.ts';
import { toLine } from '../../../text/line.ts';
import { truncateLine } from '../../../text/width.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Dialog, DialogArea, Hints } from '../component.ts';
import { filterItems, type List, moveCursor, pasteIntoList, pickerOf } from '../list.ts';
import { fieldOf, fieldRow, type TextInput } from '../text-input.ts';

/** A model that can be chosen. */
export interface ModelOffer {
  /** The name of the model: `ollama/qwen3:8b`. */
  readonly spec: string;
  /** A few words about the model. */
  readonly detail: string;
}

/** Returns the models that providers offer; undefined if they cannot be asked. */
type Offers = (() => Promise<readonly ModelOffer[]>) | undefined;

/** A list of models, and a text field that narrows it. */
export class ModelChoice {
  /** The list; before a choice the cursor is on no item. */
  #list: List = pickerOf([], { rest: -1 });
  /** The sentence shown instead of a list. */
  #word = 'Type PROVIDER/MODEL.';

  /**
   * Begins to load the list of models.
   *
   * @param offers returns the models that providers offer; undefined if they cannot be asked, so that a person
   *   has to type the name
   * @param changed called when the list has arrived or could not be loaded
   */
  constructor(offers: Offers, changed: () => void) {
    if (offers === undefined) return;
    this.#word = 'Asking the providers for their models …';
    offers().then(
      (found) => {
        const items = found.map(({ spec, detail }) => ({
          value: spec,
          label: spec,
          note: detail,
          group: splitSpec(spec).provider,
        }));
        this.#list = { ...pickerOf(items, { rest: -1 }), filter: this.#list.filter };
        this.#word = found.length === 0 ? 'No provider offers a model.' : 'No model has that name.';
        changed();
      },
      () => {
        this.#word = 'Could not ask the providers. Type PROVIDER/MODEL.';
        changed();
      },
    );
  }

  /** The text field. */
  get field(): TextInput {
    return this.#list.filter ?? fieldOf('');
  }

  /**
   * The model under the cursor, or else the model with the typed name, or else the first that matches the
   * typed text, or else the text itself if it has the form PROVIDER/MODEL. Undefined if none of these
   * applies, as before anything is typed.
   */
  get chosen(): string | undefined {
    const text = this.field.text.trim();
    const matches = filterItems(this.#list);
    const picked = matches[this.#list.at]?.value;
    if (picked !== undefined) return picked;
    if (this.#list.items.some(({ value }) => value === text)) return text;
    if (text === '') return undefined;
    return matches[0]?.value ?? (/^[^/\s]+\/\S+$/.test(text) ? text : undefined);
  }

  /** Whether a text was typed that matches no offered model and has not the form PROVIDER/MODEL. */
  get puzzles(): boolean {
    return this.field.text.trim() !== '' && this.chosen === undefined;
  }

  key(key: string): void {
    this.#list = moveCursor(this.#list, key);
  }

  paste(text: string): void {
    this.#list = pasteIntoList(this.#list, text);
  }

  /** The models that match the typed text, with the cursor on the chosen one. */
  get list(): List {
    const { chosen } = this;
    const at = filterItems(this.#list).findIndex(({ value }) => value === chosen);
    return { ...this.#list, at };
  }

  /** Returns a line to show instead of a list if no model matches the typed text; otherwise an empty list. */
  words(theme: Theme, cells: number): string[] {
    if (filterItems(this.#list).length > 0) return [];
    const { chosen } = this;
    const text = chosen === undefined ? this.#word : `Enter uses ${toLine(chosen)}.`;
    return [theme.dim(truncateLine(text, cells))];
  }
}

/** A dialog in which a person chooses another model for a seat. */
export class ModelForm implements Dialog {
  readonly title: string;
  readonly hints: Hints = { accept: 'choose', 'previous next': 'other', cancel: 'cancel' };
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
    if (key !== 'enter') this.#choice.key(key);
    else if (chosen !== undefined) this.#choose(chosen);
    return key !== 'enter' || chosen === undefined;
  }

  paste(text: string): void {
    this.#choice.paste(text);
  }

  render({ theme, cells }: DialogArea): string[] {
    return [fieldRow(this.#choice.field, cells, theme), ...this.#choice.words(theme, cells)];
  }

  list(height: number): { list: List; height: number } {
    const { list } = this.#choice;
    const none = filterItems(list).length === 0 ? 1 : 0;
    return { list, height: Math.max(1, Math.min(10 - none, height)) };
  }
}
