/** An error as it is told on a terminal: clean, without keys, and no longer than can be read. */
import { DeliberateError } from '../kernel/errors.ts';
import { redactor } from '../models/redact.ts';
import { sanitise } from '../text/sanitise.ts';

/** Letters of a name without a blank: as many as most paths have. */
const LONGEST_WORD = 240;
/** Letters of a line: a list of presets has room, ten thousand letters that somebody typed have not. */
const LONGEST_LINE = 2_000;

/** `deliberate: sentence`, the next step below it. What is no error of ours is told with its stack. */
export function explained(
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const clean = (text: string): string => readable(sanitise(redactor(env)(text)));
  if (error instanceof DeliberateError) {
    const next = error.next === undefined ? '' : `\n${error.next}`;
    return `deliberate: ${clean(`${error.message}${next}`)}\n`;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `deliberate: unexpected error: ${clean(text)}\nThe run so far is kept: deliberate list shows it.\n`;
}

/** Long words and long lines without their middle: what was typed is known by how it begins and ends. */
function readable(text: string): string {
  return text
    .replace(/\S+/g, (word) => shortened(word, LONGEST_WORD))
    .split('\n')
    .map((row) => shortened(row, LONGEST_LINE))
    .join('\n');
}

function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const end = Math.floor(most / 4);
  return `${letters.slice(0, most - end - 1).join('')}…${letters.slice(-end).join('')}`;
}
