/** The lines of a text as every reader of the records counts them. */
import { sanitise } from './sanitise.ts';

/** Whatever ends a line ends it; a line end at the very end opens no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The lines of a text under discussion, as prompts number them and as citations are looked up: each is
 * one line also when it has been cleaned. The separators U+2028 and U+2029 end a line, since the sanitiser
 * makes line ends of them; other controls (form feeds, U+0085) do not, since it takes them away.
 */
export function textLines(text: string): string[] {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/);
  if (sanitise(lines.at(-1) ?? '') === '') lines.pop();
  return lines;
}

/** Returns a text with LF line ends, so that a checkout with CRLF counts as the same document. */
export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
