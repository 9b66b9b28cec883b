/** Lists keys for the help of the home screen. */
import { commandsIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';

/** Returns the keys of text fields for the help. Each row of the help has two commands. */
export function textKeyRows(keymap: Keymap): [string, string][] {
  const commands = commandsIn(keymap, 'dialogs').filter(([, { where }]) => where?.includes('text'));
  return commands.flatMap(([, one], index) => {
    const other = commands[index + 1]?.[1];
    if (index % 2 === 1 || other === undefined) return [];
    const keys = [one, other].map((each) => keyLabel(each.keys[0] ?? ''));
    return [[keys.join(' '), `${one.description} · ${other.description}`]];
  });
}

/**
 * Formats the keys of a command for the help. On a screen of less than 100 columns, only the first
 * two are shown.
 */
export function shownKeys(keys: readonly string[], columns: number): string {
  return keys
    .slice(0, columns < 100 ? 2 : keys.length)
    .map(keyLabel)
    .join(' ');
}
