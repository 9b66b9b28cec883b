/** Words for a place that has one line: other people's, made safe by `line`; those that are clean, by `joinLines`. */
import { sanitise } from './sanitise.ts';

/** One line, clean: for headings, names and messages. */
export function line(text: string): string {
  return joinLines(sanitise(text));
}

/** The same words on one line, and no safer than they were. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
