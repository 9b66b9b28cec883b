/** The words for the parts of screens in which keys work, for docs/keys.md and for keys pressed elsewhere. */
import { commandIn, keyLabel } from './key-lookup.ts';
import type { Keymap, Scope } from './keymap.ts';

/**
 * Phrases that say where keys work, by screen and part of the screen. The part '' is the whole
 * screen.
 */
export const PLACES: Readonly<Record<Exclude<Scope, 'run'>, Readonly<Record<string, string>>>> = {
  home: {
    '': 'on the home screen',
    box: 'in the home screen’s question',
    line: 'on the home screen’s other lines',
    seat: 'on a seat of the home screen',
    file: 'on a file of the home screen',
    run: 'on a run of the home screen',
  },
  history: {
    '': 'in the history',
    list: 'in the history’s list',
    usage: 'in the history’s usage',
  },
  evaluation: {
    '': 'in an evaluation',
    answers: 'in the answers of an evaluation',
    report: 'in the report of an evaluation',
  },
  walk: { '': 'in the setup of rounds', list: 'in a list of the setup of rounds' },
  dialogs: { '': 'in dialogs', text: 'in text fields', list: 'in lists of dialogs' },
};

/**
 * Returns a sentence about a key that has an effect only in another part of the screen: what it
 * does, and where. Undefined if the key has no command on the screen at all.
 */
export function explainElsewhere(
  keymap: Keymap,
  scope: Exclude<Scope, 'run'>,
  key: string,
): string | undefined {
  const command = commandIn(keymap, scope, key);
  if (command === undefined) return undefined;
  const { description, where = [''] } = keymap[scope][command];
  return `${keyLabel(key)} works ${PLACES[scope][where[0] ?? ''] ?? ''}: ${description}.`;
}
