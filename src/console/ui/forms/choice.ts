/** A form to choose one of a few things. */
import { wrapPlain } from '../../../text/wrap.ts';
import type { Dialog, DialogArea, Hints } from '../component.ts';
import { chosenItem, type Item, type List, listOf, moveCursor } from '../list.ts';

interface Parts<V extends string> {
  readonly title: string;
  readonly prompt?: string;
  readonly hints: Hints;
  readonly width: number;
  readonly items: readonly Item<V>[];
  /** The value under the cursor at first. */
  readonly first?: V | undefined;
  /** Whether a digit moves to the line of that number. Absent where digits select tabs. */
  readonly digits?: true;
  readonly chosen: (value: V) => void;
}

/** A dialog in which a person chooses an item from a list. */
export class ChoiceForm<V extends string> implements Dialog {
  readonly title: string;
  readonly hints: Hints;
  readonly width: number;
  readonly #parts: Parts<V>;
  #list: List<V>;

  constructor(parts: Parts<V>) {
    this.#parts = parts;
    this.title = parts.title;
    this.hints = parts.hints;
    this.width = parts.width;
    this.#list = listOf(parts.items, { value: parts.first });
  }

  key(key: string): boolean {
    const { items, digits, chosen } = this.#parts;
    const item = chosenItem(this.#list);
    if (key === 'enter' && item !== undefined) chosen(item.value);
    else if (digits && /^[1-9]$/.test(key) && Number(key) <= items.length)
      this.#list = { ...this.#list, at: Number(key) - 1 };
    else this.#list = moveCursor(this.#list, key);
    return key !== 'enter';
  }

  render({ cells, height }: DialogArea): string[] {
    const { prompt, items } = this.#parts;
    if (prompt === undefined) return [];
    return ['', ...wrapPlain(prompt, cells).slice(0, Math.max(1, height - items.length - 2)), ''];
  }

  list(height: number): { list: List; height: number } {
    return { list: this.#list, height: Math.min(height, this.#list.items.length) };
  }
}
