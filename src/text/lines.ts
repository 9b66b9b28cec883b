/** Splits text into lines. */
import { sanitiseText } from './sanitise.ts';

/** Splits a text at LF, CRLF and CR. A line end at the very end adds no empty line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Splits a text into the lines that prompts number. Citations use these numbers, so the sanitised
 * text must have the same lines as the original: U+2028 and U+2029 end a line, because the
 * sanitiser turns them into line ends; form feeds and U+0085 do not, because it removes them. A last
 * line that is empty once sanitised does not count.
 */
export function textLines(text: string): string[] {
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/);
  if (sanitiseText(lines.at(-1) ?? '') === '') lines.pop();
  return lines;
}

/**
 * Returns a text with LF line ends, so that a document is the same whether it was checked out with
 * LF or CRLF.
 */
export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
