/**
 * How one seat's words enter another seat's prompt: inside a block whose tag carries a nonce. The text
 * inside cannot end its block or open another one, whatever it says. It comes in as a person would read
 * it: what is hidden from a reader (sequences for a terminal, invisible letters) is hidden from models too.
 */
import { lineLabel, type Part } from '../../text/documents/parts.ts';
import { textLines } from '../../text/lines.ts';
import { sanitise } from '../../text/sanitise.ts';
import { normaliseCharacter } from '../../text/unseen.ts';

export const TAGS = ['answer', 'attachment', 'note', 'piece', 'record'] as const;

/** Whatever Unicode takes apart into an angle: the full-width one, the small one, the one struck through. */
const ANGLE = /[<\u226e\ufe64\uff1c]/g;

/** What would end a tag's label, or its tag: quotation marks and angles of all widths, and a line end. */
const UNLABELLED = /["\uff02<\u226e\ufe64\uff1c>\u226f\ufe65\uff1e\n]/g;

/** What stands behind the angle of one of our tags, and everything that it begins with. */
const SPELLINGS: ReadonlySet<string> = new Set(
  TAGS.flatMap((tag) => ['', ' ', '/', '/ ', ' /', ' / '].map((before) => before + tag)),
);
const BEGINNINGS: ReadonlySet<string> = new Set(
  [...SPELLINGS].flatMap((all) => [...all].map((_, at) => all.slice(0, at))),
);

/** `<answer-1f3a9c02 from="Advisor A"> … </answer-1f3a9c02>` */
export function quote(
  tag: (typeof TAGS)[number],
  nonce: string,
  from: string,
  text: string,
): string {
  const name = `${tag}-${nonce}`;
  return `<${name} from="${label(from)}">\n${disarm(sanitise(text)).trim()}\n</${name}>`;
}

/** A name as it stands in a tag. */
export function label(name: string): string {
  return sanitise(name).replace(UNLABELLED, "'");
}

/**
 * Returns the sanitised text with `12: ` before its twelfth line, or `p3L10: ` in a document with pages or
 * sheets, so that lines can be cited.
 */
export function numberLines(text: string, parts: readonly Part[] = []): string {
  return textLines(text)
    .map((line, index) => {
      const number = index + 1;
      return `${parts.length === 0 ? number : lineLabel(number, parts)}: ${sanitise(line)}`;
    })
    .join('\n');
}

/** The text with `&lt;` wherever somebody could take what stands there for the beginning of one of our tags. */
function disarm(text: string): string {
  return text.replace(ANGLE, (angle, at: number) =>
    isImitation(text, at + angle.length) ? '&lt;' : angle,
  );
}

/**
 * Whether what stands at `from`, behind an angle, reads as one of our tags, however it is spelt or
 * spaced: compared is what is left without invisible characters, marks, case and width.
 */
function isImitation(text: string, from: number): boolean {
  let read = '';
  for (let at = from; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += char.length;
    for (const letter of normaliseCharacter(char)) {
      if (letter === ' ' && read.endsWith(' ')) continue;
      read += letter;
      // `<answers` is another word.
      if (SPELLINGS.has(read)) return !/\w/.test(text.charAt(at));
      if (!BEGINNINGS.has(read)) return false;
    }
  }
  return false;
}
