/** The `:` palette: a list of the commands that apply now, narrowed by typing. */

import { hasEffect } from '../../keys/conditions.ts';
import { commandsOf, keyOf } from '../../keys/key-lookup.ts';
import type { KeyState } from '../../keys/key-state.ts';
import type { Command, Keymap } from '../../keys/keymap.ts';
import { describeCommand } from '../../keys/now.ts';
import type { Dialog, DialogArea, Hints } from '../../ui/component.ts';
import {
  chosenItem,
  filterItems,
  type List,
  moveCursor,
  pasteIntoList,
  pickerOf,
} from '../../ui/list.ts';
import { fieldOf, fieldRow } from '../../ui/text-input.ts';

/**
 * Commands that are useless in the list: they count rows by keys, open this list, or are listed under other
 * names (Ctrl-C as stop and quit).
 */
const LEFT_OUT: ReadonlySet<Command> = new Set([
  ...(['palette', 'back', 'tab', 'interrupt'] as const),
  ...(['down', 'up', 'half-down', 'half-up', 'page-down', 'page-up'] as const),
]);
const HEIGHT = 16;

/**
 * A dialog that lists the commands that have an effect now, without those for scrolling, and performs
 * the chosen one.
 */
export class Palette implements Dialog {
  readonly title = 'Commands';
  readonly width = 70;
  readonly hints: Hints = { accept: 'run', 'previous next': 'choose', cancel: 'back' };
  readonly #perform: (command: Command) => void;
  #list: List<Command>;

  constructor(keymap: Keymap, state: KeyState, perform: (command: Command) => void) {
    this.#perform = perform;
    this.#list = pickerOf(
      commandsOf(keymap)
        .filter(([command]) => !LEFT_OUT.has(command) && hasEffect(keymap, command, state))
        .map(([value, binding]) => ({
          value,
          label: describeCommand(value, binding, state),
          end: keyOf(keymap, value),
        })),
    );
  }

  key(key: string): boolean {
    const chosen = chosenItem(this.#list);
    if (key !== 'enter') this.#list = moveCursor(this.#list, key);
    else if (chosen !== undefined) this.#perform(chosen.value);
    return key !== 'enter' || chosen === undefined;
  }

  paste(text: string): void {
    this.#list = pasteIntoList(this.#list, text);
  }

  render({ theme, cells }: DialogArea): string[] {
    const { filter = fieldOf('') } = this.#list;
    return [
      fieldRow(filter, cells, theme, { mark: ': ' }),
      ...(filterItems(this.#list).length === 0
        ? [theme.dim('No matching command applies now.')]
        : []),
    ];
  }

  list(height: number): { list: List; height: number } {
    const none = filterItems(this.#list).length === 0 ? 1 : 0;
    return { list: this.#list, height: Math.min(HEIGHT - 1 - none, height) };
  }
}
