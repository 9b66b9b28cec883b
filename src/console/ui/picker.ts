/** The `:` palette: the commands that apply now, narrowed by what is typed. */
import { applies, commandsOf, keyOf } from '../keys/bindings.ts';
import type { Command, Keymap } from '../keys/keymap.ts';
import type { Situation } from '../keys/situation.ts';
import { edited } from '../terminal/keys.ts';

export interface Choice {
  readonly command: Command;
  readonly description: string;
  readonly key: string;
}

/** Of no use in a list: rows are counted by keys, not by names, and the list itself is open. */
const LEFT_OUT: ReadonlySet<Command> = new Set(['palette', 'back', 'tab', 'down', 'up']);

export class Picker {
  readonly typed: string;
  readonly selected: number;
  readonly #all: readonly Choice[];

  private constructor(all: readonly Choice[], typed: string, selected: number) {
    this.#all = all;
    this.typed = typed;
    this.selected = selected;
  }

  static of(keymap: Keymap, situation: Situation): Picker {
    const all = commandsOf(keymap)
      .filter(([command]) => !LEFT_OUT.has(command) && applies(keymap, command, situation))
      .map(([command, { description }]) => ({
        command,
        description,
        key: keyOf(keymap, command),
      }));
    return new Picker(all, '', 0);
  }

  /** Commands whose name or description has every typed word. */
  get choices(): readonly Choice[] {
    const words = this.typed.toLowerCase().split(/\s+/);
    return this.#all.filter(({ command, description }) => {
      const text = `${command} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  get chosen(): Command | undefined {
    return this.choices[this.selected]?.command;
  }

  /** The palette after a key that is not Enter. */
  key(key: string): Picker {
    const step = key === 'down' || key === 'tab' ? 1 : key === 'up' || key === 'shift+tab' ? -1 : 0;
    if (step === 0) return new Picker(this.#all, edited(this.typed, key), 0);
    const count = Math.max(1, this.choices.length);
    return new Picker(this.#all, this.typed, (this.selected + step + count) % count);
  }
}
