/** Joins text into one line: untrusted text with `line`, text that is already clean with `joinLines`. */
import { sanitise } from './sanitise.ts';

/**
 * Returns a text as one line without invisible or control characters, for headings, names and
 * messages.
 */
export function line(text: string): string {
  return joinLines(sanitise(text));
}

/** Returns a text as one line: line ends become spaces. Nothing else is changed. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
