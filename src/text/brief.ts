/** Shortens messages that quote what a person typed. */

/** The longest word in characters; most paths are shorter. */
const LONGEST_WORD = 240;
/** The longest line in characters: a list of presets fits, but not ten thousand typed characters. */
const LONGEST_LINE = 2_000;

/**
 * Shortens a message by cutting words of more than 240 and lines of more than 2,000 characters. Both
 * are cut in the middle, since their beginning and end identify them.
 */
export function shortenMessage(text: string): string {
  return text
    .replace(/\S+/g, (word) => shorten(word, LONGEST_WORD))
    .split('\n')
    .map((row) => shorten(row, LONGEST_LINE))
    .join('\n');
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text];
  if (letters.length <= most) return text;
  const end = Math.floor(most / 4);
  return `${letters.slice(0, most - end - 1).join('')}…${letters.slice(-end).join('')}`;
}
