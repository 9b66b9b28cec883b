/** Formats remarks about documents, and cleans, wraps and cuts their lines. */
import { sanitiseText } from '../../text/sanitise.ts';
import { MOST_TEXT_BYTES } from '../read-text.ts';

/**
 * Formats the numbers of pages or slides as the beginning of a sentence: `page 3 holds`, `pages 1,
 * 4–6 and 9 hold`.
 *
 * @param what the noun for one of them, such as `page`
 * @param numbers the numbers in ascending order
 * @param verb the verb after a single number
 * @param verbs the verb after several numbers
 */
export function formatNumbers(
  what: string,
  numbers: readonly number[],
  verb = 'holds',
  verbs = 'hold',
): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const more = ranges.length - shown.length;
  const named = more > 0 ? [...shown, `${more} more places`] : shown;
  const words =
    named.length === 1 ? named[0] : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return numbers.length === 1 ? `${what} ${words} ${verb}` : `${what}s ${words} ${verbs}`;
}

/**
 * Formats a count with its noun and verb: `1 comment was`, `3 comments were`.
 *
 * @param noun the noun in the singular
 * @param many the noun in the plural
 */
export function formatCountWithVerb(count: number, noun: string, many = `${noun}s`): string {
  return count === 1 ? `1 ${noun} was` : `${count} ${many} were`;
}

const MOST_RANGES = 12;

/** Ligatures, the only characters to which NFKC is applied. */
const LIGATURES = /[\ufb00-\ufb06]/g;

/**
 * Cleans lines: removes invisible characters and spaces at both ends, writes ligatures as letters, and
 * drops empty lines.
 */
export function tidyLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => sanitiseText(line).split('\n'))
    .map((line) =>
      line
        .replace(LIGATURES, (sign) => sign.normalize('NFKC'))
        .replace(/[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Maximum columns of a line of prose, so that a citation names a sentence or two and not a page. */
const WIDTH = 100;

/**
 * Wraps lines of prose between words, to 100 columns. Code and tables are not wrapped. A longer word stays
 * whole up to 200 characters; beyond that it is broken between characters.
 */
export function wrapProse(text: string): string {
  let fenced = false;
  const lines = text.split('\n').flatMap((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (fenced || line.startsWith('|') || line.length <= WIDTH) return [line.trimEnd()];
    return wrapLine(line);
  });
  return lines.join('\n');
}

function wrapLine(line: string): string[] {
  const indent = /^\s*(?:[-*>]\s+|\d+\.\s+)?/.exec(line)?.[0] ?? '';
  const hanging = indent.startsWith('>') ? indent : ' '.repeat(indent.length);
  const rows: string[] = [];
  let row = '';
  for (const word of line.trim().split(/\s+/)) {
    if (row !== '' && row.length + word.length + 1 > WIDTH - indent.length) {
      rows.push(row);
      row = '';
    }
    row = row === '' ? word : `${row} ${word}`;
    while (row.length > 2 * WIDTH) {
      const cut = breakAt(row, WIDTH);
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
    }
  }
  if (row !== '') rows.push(row);
  return rows.map((row, at) =>
    at === 0 ? `${/^\s*/.exec(line)?.[0] ?? ''}${row}` : `${hanging}${row}`,
  );
}

/**
 * Returns where to break a row without spaces: after a punctuation mark if one is near, and never within a
 * surrogate pair.
 */
function breakAt(row: string, width: number): number {
  for (let at = width; at > width / 2; at -= 1)
    if (/[。！？、，；：]/.test(row[at - 1] ?? '')) return at;
  return /[\udc00-\udfff]/.test(row[width] ?? '') ? width + 1 : width;
}

/**
 * Returns as many whole lines as fit into `most` bytes. `note` says how many lines were left out;
 * it is undefined if all fit.
 */
export function cutText(
  text: string,
  most: number = MOST_TEXT_BYTES,
): { text: string; note: string | undefined } {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let size = 0;
  const kept = lines.findIndex((line) => {
    size += Buffer.byteLength(line) + 1;
    return size > most;
  });
  if (kept < 0) return { text: `${lines.join('\n')}\n`, note: undefined };
  return {
    text: `${lines.slice(0, kept).join('\n')}\n`,
    note: `only the first ${kept} of its ${lines.length} lines were taken: more is longer than 1 MB`,
  };
}
