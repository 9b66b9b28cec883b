/** The lines of a text as every reader of the records counts them. */

/** Whatever ends a line ends it; a line end at the very end opens no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
