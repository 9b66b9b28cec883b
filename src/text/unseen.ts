/**
 * Finds invisible characters by their Unicode properties, since a list of code points would be outdated by
 * the next version. The sanitiser's classes (`characters.ts`), the escapes of JSON output, the fences of
 * prompts and the checks of files are compared with these by test/text/unseen.test.ts.
 */
import { ENCLOSING_SIGNS } from './characters.ts';
import { sanitiseText } from './sanitise.ts';

/**
 * Matches every invisible character except tabs and line ends: controls, format characters, line
 * and paragraph separators, surrogates, and ignorable characters. Private-use characters, and signs
 * that enclose digits, are visible and do not match.
 */
export const UNSEEN = new RegExp(
  String.raw`[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\t\n\r${ENCLOSING_SIGNS}]]`,
  'gv',
);

/** A line of a file, from 1, and its code points that the sanitiser removes. */
interface UnseenLine {
  readonly line: number;
  readonly points: readonly number[];
}

/** Returns the lines that contain characters which the sanitiser removes, with these characters. */
export function findUnseen(text: string): UnseenLine[] {
  if (text.search(UNSEEN) < 0) return [];
  return text.split(/\r\n?|\n/).flatMap((line, index) => {
    const points = line.search(UNSEEN) < 0 ? [] : findRemoved(line);
    return points.length === 0 ? [] : [{ line: index + 1, points }];
  });
}

function findRemoved(line: string): number[] {
  const clean = sanitiseText(line);
  const taken: number[] = [];
  let at = 0;
  for (const char of line) {
    if (clean.startsWith(char, at)) at += char.length;
    else if (char.search(UNSEEN) === 0) {
      taken.push(char.codePointAt(0) ?? 0);
      // The sanitiser puts `␛` or a line end in place of some characters. The cleaned text is compared with the
      // original line, so step over this substitute in the cleaned text.
      if (clean[at] === '␛' || clean[at] === '\n') at += 1;
    }
  }
  return taken;
}

/** The most code points that are named singly. */
const NAMED = 4;

/** Formats code points with their counts: `2 × U+200B, U+202E`. At most four are named, the others counted. */
export function formatCodePoints(points: readonly number[]): string {
  const times = new Map<number, number>();
  for (const point of points) times.set(point, (times.get(point) ?? 0) + 1);
  const names = [...times].map(
    ([point, count]) =>
      `${count > 1 ? `${count} × ` : ''}U+${point.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const BLANK = /[\s\p{Z}\u2800]/u;
const UNREAD = /[\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns a character as a lenient comparison uses it: a letter becomes a plain one in lower case without
 * marks, even if it was full-width, bold or circled. Blank characters become a space, invisible ones an
 * empty text.
 */
export function normaliseCharacter(char: string): string {
  if (char > ' ' && char < '\u007f') return char.toLowerCase();
  if (BLANK.test(char)) return ' ';
  return char.normalize('NFKD').replace(UNREAD, '').toLowerCase();
}

/**
 * Returns a command in a form that a terminal can show safely: control and invisible characters
 * become `\u{…}` with their hexadecimal code, tabs included. Only newlines stay.
 */
export function escapeInvisible(command: string): string {
  return [...command]
    .map((char) =>
      char === '\n' || (char !== '\t' && sanitiseText(char) === char)
        ? char
        : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .join('');
}
