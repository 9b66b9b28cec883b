/** Other people's words for a place that has one line. */
import { sanitise } from './sanitise.ts';

/** One line, clean: for headings, names and messages. */
export function line(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}
