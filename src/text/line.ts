/** Joins text into one line: untrusted text with `toLine`, text that is already clean with `joinLines`. */
import { sanitiseText } from './sanitise.ts';

/**
 * Returns a text as one line without invisible or control characters, for headings, names and
 * messages.
 */
export function toLine(text: string): string {
  return joinLines(sanitiseText(text));
}

/**
 * Returns a text as one line: line ends and other white space of any length become one space, and
 * none stays at the beginning and the end. No character is sanitised.
 */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
