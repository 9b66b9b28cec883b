/** A question of the protocol to the person: the run waits for it. */
import type { GateView } from '../../../kernel/view.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { Dialog, Hint, Room } from '../component.ts';
import { chosenItem, type List, listOf, moved } from '../list.ts';

export class GateForm implements Dialog {
  readonly title = 'The run waits for you';
  readonly width = 72;
  readonly hints: readonly Hint[] = [
    ['previous next', 'choose'],
    ['accept', 'answer'],
  ];
  readonly gate: GateView;
  readonly #answer: (value: string) => void;
  #list: List;

  constructor(gate: GateView, answer: (value: string) => void) {
    this.gate = gate;
    this.#answer = answer;
    const items = gate.options.map(({ value, label }) => ({
      value,
      label: `${label}${value === gate.default ? ' (default)' : ''}`,
    }));
    this.#list = listOf(items, { value: gate.default });
  }

  key(key: string): boolean {
    const chosen = chosenItem(this.#list);
    if (key === 'enter' && chosen !== undefined) this.#answer(chosen.value);
    else this.#list = moved(this.#list, key);
    return true;
  }

  render({ cells, height }: Room): string[] {
    const most = Math.max(1, height - this.#list.items.length - 2);
    return ['', ...wrapPlain(this.gate.prompt, cells).slice(0, most), ''];
  }

  list(height: number): { list: List; height: number } {
    return { list: this.#list, height: Math.min(height, this.#list.items.length) };
  }
}
