/**
 * Converts Ink's input to the names of keys in the key tables. Terminals send keys in chunks: a held `j`
 * arrives as `jjj`, so a chunk becomes a list of keys.
 */

import type { Key } from 'ink';
import { entryOf } from '../../kernel/entry.ts';
import { sanitiseText } from '../../text/sanitise.ts';

const NAMES: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageDown', 'pagedown'],
  ['pageUp', 'pageup'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  // Ctrl-J sends a line feed; Enter sends a carriage return.
  '\n': 'ctrl+j',
  '\t': 'tab',
  '\u001b': 'escape',
  '\u007f': 'backspace',
  ' ': 'space',
};

/**
 * Keys with another meaning if a modifier is held: words instead of characters, a new line instead of Enter.
 */
const MODIFIED: ReadonlySet<string> = new Set(['left', 'right', 'enter', 'backspace']);
/** Letters that terminals send for Alt with an arrow, and that shells use with Alt. */
const ALT_LETTERS: ReadonlySet<string> = new Set(['b', 'd', 'f']);

function modifierOf(name: string, { ctrl, meta, shift }: Key): string {
  if (meta) return 'alt+';
  if (ctrl) return 'ctrl+';
  return shift && name === 'enter' ? 'shift+' : '';
}

/**
 * Returns the names of the keys of one call of Ink's `useInput`, in order: `j`, `G`, `ctrl+d`,
 * `shift+tab`, `pagedown`.
 */
export function keysOf(input: string, key: Key): string[] {
  if (key.eventType === 'release') return [];
  if (key.tab) return [key.shift ? 'shift+tab' : 'tab'];
  const named = NAMES.find(([flag]) => key[flag] === true)?.[1];
  if (named !== undefined) return [MODIFIED.has(named) ? modifierOf(named, key) + named : named];
  if (key.ctrl) return input.length === 1 ? [`ctrl+${input.toLowerCase()}`] : [];
  // Ignore Alt with any letter that has no meaning with Alt: it must not count as the letter alone.
  if (key.meta) return ALT_LETTERS.has(input) ? [`alt+${input}`] : [];
  return [...input].flatMap((character) => {
    const control = entryOf(CONTROLS, character);
    if (control !== undefined) return [control];
    const code = character.codePointAt(0) ?? 0;
    if (code >= 1 && code <= 26) return [`ctrl+${String.fromCharCode(code + 96)}`];
    // Drop all other control characters. They may come from pasted text, which some terminals send as if it were
    // typed.
    return code < 32 || sanitiseText(character) !== character ? [] : [character];
  });
}
