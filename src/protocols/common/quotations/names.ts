/**
 * Replaces the letters under which the synthesizer knew the seats by their names. Prompts and records keep the
 * letters. Code in the text stays unchanged.
 */
import { entryOf } from '../../../kernel/entry.ts';

/**
 * The letters under which a synthesizer saw the seats: `{ A: 'critic' }`. Empty if the synthesizer
 * saw their names.
 */
export type Labels = Readonly<Record<string, string>>;

/** A text to insert in place of the characters from `at` up to `end`. */
interface Edit {
  readonly at: number;
  /** The index after its last letter. */
  readonly end: number;
  readonly text: string;
}

/** A part of a text that names one seat or several: `Advisors A and C`. */
export interface Mention {
  /** The index of the mention's first character in the text. */
  readonly at: number;
  /** The index after the mention's last character. */
  readonly end: number;
  /** The ids of the named seats in the order of the text, but those within a range such as `A–D` last. */
  readonly seats: readonly string[];
  /** Returns the edits that replace the letters by names. */
  readonly edits: (nameOf: (seat: string) => string) => readonly Edit[];
}

const FIRST =
  /(?<![\p{L}\p{N}_])advisors?(?:[^\S\n]{1,3}|[^\S\n]?\n[^\S\n]{0,8})(?=[*_]{0,3}[A-Z](?![\p{L}\p{N}]))/giu;
/** Matches a letter with the marks of emphasis around it. */
const LETTER = /[*_]{0,3}([A-Z])(?![\p{L}\p{N}])[*_]{0,3}/uy;
/** Matches what separates two letters of a list; a dash includes the letters in between. */
const BETWEEN =
  /(?:\s?,\s{1,3}(?:(?:and|or)\s{1,3})?|\s?[/&]\s?|\s{1,3}(?:and|or|to)\s{1,3}|[-–])/iuy;
const RANGE = /^(?:[-–]|\s+to\s)/i;
/**
 * Matches the bracket of `(A, C)`: only letters, at least two or after a quotation, because a single letter in
 * brackets may number an option.
 */
const LISTED = /\((?=[A-Z]\s?(?:,|&|\/|and\b)[^()\n]{0,60}\))|(?<=[”"»]\s?)\((?=[A-Z]\))/gu;

/**
 * Returns every part of the text where letters name seats, in the order of the text. Code blocks
 * and inline code are ignored.
 */
export function findMentions(text: string, labels: Labels): Mention[] {
  if (Object.keys(labels).length === 0) return [];
  const plain = blankCode(text);
  const found: Mention[] = [];
  const starts = [
    ...[...plain.matchAll(FIRST)].map(({ index, 0: word }) => ({
      at: index,
      from: index + word.length,
    })),
    ...[...plain.matchAll(LISTED)].map(({ index }) => ({ at: index + 1, from: index + 1 })),
  ].sort((left, right) => left.at - right.at);
  for (const { at, from } of starts) {
    if (at < (found.at(-1)?.end ?? 0)) continue;
    const mention = mentionAt(plain, at, from, labels);
    // Letters right after an opening bracket, as in `(A, C)`, count as a mention of seats only if the closing bracket
    // follows directly after them.
    if (mention !== undefined && (at < from || plain[mention.end] === ')')) found.push(mention);
  }
  return found;
}

/** Parses a list of letters at this position; undefined if there is none. */
function mentionAt(plain: string, at: number, from: number, labels: Labels): Mention | undefined {
  const places: { at: number; letter: string }[] = [];
  const ranges: { at: number; end: number; through: string[] }[] = [];
  let next = from;
  let end = at;
  for (;;) {
    LETTER.lastIndex = next;
    const [all, letter = ''] = LETTER.exec(plain) ?? [];
    if (all === undefined || entryOf(labels, letter) === undefined) break;
    const place = next + all.indexOf(letter);
    const last = places.at(-1);
    if (last !== undefined) {
      if (RANGE.test(plain.slice(end, next))) {
        const through = lettersBetween(last.letter, letter, labels);
        if (through === undefined) break;
        ranges.push({ at: end, end: next, through });
      }
    }
    places.push({ at: place, letter });
    end = next + all.length;
    BETWEEN.lastIndex = end;
    const between = BETWEEN.exec(plain);
    if (between === null) break;
    next = end + between[0].length;
  }
  if (places.length === 0) return undefined;
  const seatOf = (letter: string): string => entryOf(labels, letter) ?? letter;
  const last = places.at(-1);
  return {
    at,
    // In `**Advisors A and B** agree`, the mention of seats ends with the letter `B`. The asterisks after the
    // letter belong to the sentence.
    end: last === undefined ? end : last.at + 1,
    seats: [...places.map(({ letter }) => letter), ...ranges.flatMap(({ through }) => through)].map(
      seatOf,
    ),
    edits: (nameOf) => [
      ...(at < from ? [{ at, end: from, text: '' }] : []),
      ...places.map((place) => ({
        at: place.at,
        end: place.at + 1,
        text: nameOf(seatOf(place.letter)),
      })),
      ...ranges.map((range) => ({
        at: range.at,
        end: range.end,
        text: `${range.through.map((letter) => `, ${nameOf(seatOf(letter))}`).join('')} and `,
      })),
    ],
  };
}

/** Returns the letters between two others; undefined if they are in the wrong order or one has no seat. */
function lettersBetween(first: string, last: string, labels: Labels): string[] | undefined {
  const count = last.charCodeAt(0) - first.charCodeAt(0) - 1;
  if (count < 0) return undefined;
  const through = Array.from({ length: count }, (_one, index) =>
    String.fromCharCode(first.charCodeAt(0) + 1 + index),
  );
  return through.every((letter) => entryOf(labels, letter) !== undefined) ? through : undefined;
}

/** Returns the text with the seats' names in place of their letters. Code blocks and inline code stay unchanged. */
export function replaceLetters(
  text: string,
  labels: Labels,
  nameOf: (seat: string) => string,
): string {
  return applyEdits(
    text,
    findMentions(text, labels).flatMap(({ edits }) => edits(nameOf)),
  );
}

/** Matches endings that may continue as a mention: `… as Advisors`, or `(A, ` of a list. */
const BEGUN: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_])a(?:d(?:v(?:i(?:s(?:o(?:rs?)?)?)?)?)?)?\s{0,9}[*_]{0,3}$/iu,
  /\((?:[A-Z](?:\s?(?:,|&|\/|and?)?\s?)){0,8}$/u,
];
/** How many characters at the end of a text are searched. No match of `BEGUN` is longer. */
const LONGEST_BEGUN = 80;

/**
 * Returns a streamed text without its last words if these may become a mention of a seat when the
 * text continues. Repeats this until no such words are left: `as Advisors A` first loses `A`, then `Advisors`.
 */
export function cutUnfinishedMention(text: string): string {
  const from = Math.max(0, text.length - LONGEST_BEGUN);
  const end = text.slice(from);
  const [at] = BEGUN.flatMap((begun) => begun.exec(end)?.index ?? []);
  return at === undefined ? text : cutUnfinishedMention(text.slice(0, from + at));
}

/**
 * Returns whether the text still contains letters that stand for seats, outside of code. A single A or I
 * does not count, because it is usually a word.
 */
export function hasLettersOfSeats(text: string, labels: Labels): boolean {
  const plain = blankCode(text);
  return [...plain.matchAll(/(?<![\p{L}\p{N}_-])([B-HJ-Z])(?![\p{L}\p{N}_-])/gu)].some(
    ([, letter = '']) => entryOf(labels, letter) !== undefined,
  );
}

/**
 * Applies edits to a text. If two edits have the same position, the first in the list is placed
 * first. An edit that begins inside of an earlier one is skipped.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let from = 0;
  let made = '';
  for (const { at, end, text: instead } of edits.toSorted((left, right) => left.at - right.at)) {
    if (at < from) continue;
    made += text.slice(from, at) + instead;
    from = end;
  }
  return made + text.slice(from);
}

/**
 * Replaces every character of Markdown code by a blank, so that positions in the text stay the
 * same.
 */
export function blankCode(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((row) => {
      const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(row)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
        return makeBlank(row);
      }
      if (mark === undefined) return withoutSpans(row);
      fence = mark;
      return makeBlank(row);
    })
    .join('\n');
}

function withoutSpans(row: string): string {
  const runs = [...row.matchAll(/`+/g)];
  let made = '';
  let from = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    let close = index + 1;
    while (close < runs.length && runs[close]?.[0] !== open?.[0]) close += 1;
    const shut = runs[close];
    if (open === undefined || shut === undefined) continue;
    const end = shut.index + shut[0].length;
    made += row.slice(from, open.index) + makeBlank(row.slice(open.index, end));
    from = end;
    index = close;
  }
  return made + row.slice(from);
}

function makeBlank(text: string): string {
  return ' '.repeat(text.length);
}
