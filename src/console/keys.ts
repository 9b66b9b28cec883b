/**
 * From what Ink hands over to the names that the key table uses. Terminals deliver keys in chunks: a
 * held `j` arrives as `jjj`, so a chunk becomes a list of keys.
 */
import type { Key } from 'ink';

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
  '\n': 'enter',
  '\t': 'tab',
  '\u001b': 'escape',
  '\u007f': 'backspace',
  ' ': 'space',
};

/** The keys of one `useInput` call, in order: `j`, `G`, `ctrl+d`, `shift+tab`, `pagedown`. */
export function keysOf(input: string, key: Key): string[] {
  if (key.eventType === 'release') return [];
  if (key.tab) return [key.shift ? 'shift+tab' : 'tab'];
  const named = NAMES.find(([flag]) => key[flag] === true);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return input.length === 1 ? [`ctrl+${input.toLowerCase()}`] : [];
  // Alt with a letter is none of our keys, and must not be taken for the letter.
  if (key.meta) return [];
  return [...input].flatMap((character) => {
    const control = CONTROLS[character];
    if (control !== undefined) return [control];
    const code = character.codePointAt(0) ?? 0;
    if (code >= 1 && code <= 26) return [`ctrl+${String.fromCharCode(code + 96)}`];
    return code < 32 ? [] : [character];
  });
}

/** A line that is being typed, after a key. */
export function edited(text: string, key: string): string {
  if (key === 'backspace' || key === 'delete') return [...text].slice(0, -1).join('');
  if (key === 'ctrl+u') return '';
  if (key === 'space') return `${text} `;
  return [...key].length === 1 ? text + key : text;
}
