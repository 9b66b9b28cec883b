/** Who is absent from the next round: one role of the panel, or none. */

import type { RunModel } from '../../../console/model/run-model.ts';
import type { Dialog, Hint } from '../../../console/ui/component.ts';
import { type List, listOf, moved } from '../../../console/ui/list.ts';
import type { RoleName } from '../fold.ts';
import { ROLES } from '../records/types.ts';

interface StressChoice {
  /** Null: everybody is there. */
  readonly absent: RoleName | null;
  readonly words: string;
}

function stressChoices(desk: RunModel): StressChoice[] {
  return [
    ...ROLES.map((absent) => ({ absent, words: `without the ${desk.nameOf(absent)}` })),
    { absent: null, words: 'with everybody: no stress round' },
  ];
}

export class StressForm implements Dialog {
  readonly title = 'The next round is held';
  readonly hints: readonly Hint[] = [
    ['accept', 'choose'],
    ['previous next', 'other'],
    ['cancel', 'cancel'],
  ];
  readonly width = 46;
  readonly #choices: readonly StressChoice[];
  readonly #choose: (choice: StressChoice) => void;
  #list: List;

  constructor(desk: RunModel, choose: (choice: StressChoice) => void) {
    this.#choices = stressChoices(desk);
    this.#choose = choose;
    this.#list = listOf(this.#choices.map(({ words }) => ({ value: words, label: words })));
  }

  key(key: string): boolean {
    const number = /^[1-9]$/.test(key) ? Number(key) : 0;
    if (number >= 1 && number <= this.#choices.length)
      this.#list = { ...this.#list, at: number - 1 };
    else this.#list = moved(this.#list, key);
    const choice = this.#choices[this.#list.at];
    if (key === 'enter' && choice !== undefined) this.#choose(choice);
    return key !== 'enter';
  }

  render(): string[] {
    return [];
  }

  list(height: number): { list: List; height: number } {
    return { list: this.#list, height: Math.min(height, this.#choices.length) };
  }
}
