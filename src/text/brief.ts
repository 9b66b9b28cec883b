/** Messages that quote what somebody typed, however much of it there was. */

/** Letters of a name without a blank: as many as most paths have. */
const LONGEST_WORD = 240;
/** Letters of a line: a list of presets has room, ten thousand letters that somebody typed have not. */
const LONGEST_LINE = 2_000;

/** Long words and long lines without their middle: what was typed is known by how it begins and ends. */
export function brief(text: string): string {
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
