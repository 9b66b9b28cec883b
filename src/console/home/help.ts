/** The help of the home screen: its keys, and those of text fields. */
import { commandsIn, keyLabel } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { keyLine } from '../shell/help.ts';
import type { Theme } from '../terminal/theme.ts';
import { widthOf } from './head.ts';

/**
 * Returns the lines of the help.
 *
 * @param columns the width of the screen in cells
 */
export function helpLines(keymap: Keymap, theme: Theme, columns: number): string[] {
  const look = { theme, width: widthOf(columns), cells: columns < 100 ? 20 : 30 };
  const formatPart = (title: string, inBox: boolean): string[] => [
    theme.underline(title),
    ...commandsIn(keymap, 'home')
      .filter(([, { where }]) => (where === undefined || where.includes('box')) === inBox)
      .flatMap(([, { keys, description }]) =>
        keyLine(shownKeys(keys, columns).map(keyLabel).join(' '), description, look),
      ),
  ];
  return [
    ...formatPart('In the question and everywhere else', true),
    ...textKeys(keymap).flatMap(([keys, text]) => keyLine(keys, text, look)),
    '',
    ...formatPart('On the lines below it', false),
  ];
}

/** Returns the keys of text fields, two commands in a row. */
function textKeys(keymap: Keymap): [keys: string, description: string][] {
  const commands = commandsIn(keymap, 'dialogs').filter(([, { where }]) => where?.includes('text'));
  return commands.flatMap(([, binding], index) => {
    const other = commands[index + 1]?.[1];
    if (index % 2 === 1 || other === undefined) return [];
    const keys = [binding, other].map((each) => keyLabel(each.keys[0] ?? ''));
    return [[keys.join(' '), `${binding.description} · ${other.description}`]];
  });
}

/** Returns the keys of a command that the help has room for. */
function shownKeys(keys: readonly string[], columns: number): readonly string[] {
  return columns < 100 ? keys.slice(0, 2) : keys;
}
