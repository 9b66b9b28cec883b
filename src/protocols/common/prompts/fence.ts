/**
 * Encloses one seat's words in another seat's prompt, in a block whose tag contains a random part
 * (nonce), so that the text cannot end its block or open another one. Terminal sequences and
 * invisible characters are removed, as from a text for people.
 */
import { lineLabel, type Part } from '../../../text/documents/parts.ts';
import { textLines } from '../../../text/lines.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { normaliseCharacter } from '../../../text/unseen.ts';

/** The names of the tags that enclose other people's texts in a prompt. */
export const TAGS = ['answer', 'attachment', 'note', 'piece', 'record'] as const;

/** Matches all characters that Unicode normalizes to an angle bracket: full-width, small, struck through. */
const ANGLE = /[<\u226e\ufe64\uff1c]/g;

/**
 * Matches what could end a tag's label or the tag: quotation marks and angle brackets of all widths, and line
 * breaks.
 */
const UNLABELLED = /["\uff02<\u226e\ufe64\uff1c>\u226f\ufe65\uff1e\n]/g;

/** The names of our tags as they may follow an angle bracket, and all their beginnings. */
const SPELLINGS: ReadonlySet<string> = new Set(
  TAGS.flatMap((tag) => ['', ' ', '/', '/ ', ' /', ' / '].map((before) => before + tag)),
);
const BEGINNINGS: ReadonlySet<string> = new Set(
  [...SPELLINGS].flatMap((all) => [...all].map((_, at) => all.slice(0, at))),
);

/**
 * Encloses a text in tags: `<answer-1f3a9c02 from="Advisor A"> … </answer-1f3a9c02>`.
 * @param nonce the random part of the tag's name, which the text cannot guess
 * @param from the name of the text's author or file
 */
export function encloseInTags(
  tag: (typeof TAGS)[number],
  nonce: string,
  from: string,
  text: string,
): string {
  const name = `${tag}-${nonce}`;
  return `<${name} from="${cleanTagLabel(from)}">\n${disarmTags(sanitiseText(text)).trim()}\n</${name}>`;
}

/**
 * Returns a name as it may stand in a tag's label: without control characters, and with `'` in place of quotation
 * marks, angle brackets and line breaks.
 */
export function cleanTagLabel(name: string): string {
  return sanitiseText(name).replace(UNLABELLED, "'");
}

/**
 * Returns the text without control characters and with a number before each line, so that lines can
 * be cited: `12: `, or `p3L10: ` in a document with pages or sheets.
 */
export function numberLines(text: string, parts: readonly Part[] = []): string {
  return textLines(text)
    .map((line, index) => {
      const number = index + 1;
      return `${parts.length === 0 ? number : lineLabel(number, parts)}: ${sanitiseText(line)}`;
    })
    .join('\n');
}

/** Replaces `<` by `&lt;` wherever the text could be taken for the beginning of one of our tags. */
function disarmTags(text: string): string {
  return text.replace(ANGLE, (angle, at: number) =>
    isImitation(text, at + angle.length) ? '&lt;' : angle,
  );
}

/**
 * Returns whether the text after an angle bracket at `from` reads as one of our tags, however it is written:
 * compared without invisible characters, marks, case and width.
 */
function isImitation(text: string, from: number): boolean {
  let read = '';
  for (let at = from; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += char.length;
    for (const letter of normaliseCharacter(char)) {
      if (letter === ' ' && read.endsWith(' ')) continue;
      read += letter;
      // A longer word such as `<answers` is not the tag `<answer`.
      if (SPELLINGS.has(read)) return !/\w/.test(text.charAt(at));
      if (!BEGINNINGS.has(read)) return false;
    }
  }
  return false;
}
