/** One of a few things: an answer to what the run asks, or how something is to be done. */
import { truncate } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { Dialog, Hints, Room } from '../component.ts';
import { chosenItem, type Item, type List, listOf, moveCursor } from '../list.ts';

interface Parts<V extends string> {
  readonly title: string;
  readonly prompt?: string;
  /** Below the prompt: whole where there is room, else the beginning of each, and of how many none. */
  readonly lines?: readonly string[];
  readonly hints: Hints;
  readonly width: number;
  readonly items: readonly Item<V>[];
  /** Where the cursor stands at first. */
  readonly first?: V | undefined;
  /** A digit goes to the line of that number. Not where one may be meant for a tab. */
  readonly digits?: true;
  readonly chosen: (value: V) => void;
}

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

  render({ cells, height }: Room): string[] {
    const { prompt, lines = [], items } = this.#parts;
    if (prompt === undefined) return [];
    const asked = wrapPlain(prompt, cells);
    const room = Math.max(1, height - items.length - 2);
    const told = fitted(lines, cells, room - asked.length - 1);
    const rows = told.length === 0 ? asked : [...asked, '', ...told];
    return ['', ...rows.slice(0, room), ''];
  }

  list(height: number): { list: List; height: number } {
    return { list: this.#list, height: Math.min(height, this.#list.items.length) };
  }
}

/** No line goes missing without a word: better the beginnings of all of them than some of them whole. */
function fitted(lines: readonly string[], cells: number, room: number): string[] {
  const whole = lines.flatMap((line) => wrapPlain(line, cells));
  if (whole.length <= room) return whole;
  const short = lines.map((line) => truncate(line, cells));
  if (short.length <= room) return short;
  const shown = Math.max(0, room - 1);
  return [...short.slice(0, shown), `… ${short.length - shown} more lines`];
}
