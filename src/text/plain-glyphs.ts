/**
 * Replaces characters on whose width terminals disagree: an emoji joined of four is two cells in one
 * terminal and eight in another, and Ink, which lays out the screen, counts differently again. One wrong
 * guess shifts every column to its right, and enough of them push the last column off the screen. So text
 * in columns is reduced to glyphs that a sum over code points, xterm.js and Ink all measure alike.
 */
import {
  BREAK,
  CONTROL,
  classOf,
  DRAWN,
  isEnclosingSign,
  isLinker,
  isPictograph,
  isRegional,
  isSkinTone,
  isSpacingMark,
  JOINER,
  MARK,
  REGIONAL_A,
  ZWJ,
  ZWNJ,
} from './characters.ts';
import {
  fitsSyllable,
  NO_SYLLABLE,
  type Syllable,
  separateLetter,
  syllableAfter,
} from './words/hangul.ts';

/**
 * Text that needs no rewriting: ASCII, Latin, Greek, Cyrillic, most punctuation, arrows, box
 * drawing, kana, Han and Hangul, less the few code points in there that draw nothing or combine.
 */
const ALREADY_PLAIN =
  /^[\t\n\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u202f-\u205e\u2070-\u20cf\u2190-\u2319\u2500-\u259f\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

const KEYCAP = 0x20e3;
/**
 * Thai and Lao AM, which Ink counts as one cell and terminals as two: replaced by the same in two
 * characters.
 */
const SPLIT: ReadonlyMap<number, string> = new Map([
  [0x0e33, '\u0e4d\u0e32'],
  [0x0eb3, '\u0ecd\u0eb2'],
]);
const NO_GLYPH = '\ufffd';
const SEPARATED = String.fromCodePoint(ZWNJ);

/**
 * Simplifies a text so that every terminal gives it the same width. A joined emoji sequence becomes
 * its first emoji, a flag its two letters, and a keycap its digit. Variation selectors, skin tones,
 * controls and invisible characters are removed. Letters that form one grapheme of several cells
 * are separated by a zero-width non-joiner. Newlines and tabs stay. The time
 * that this takes is linear in the length of the text.
 */
export function plainGlyphs(text: string): string {
  if (ALREADY_PLAIN.test(text)) return text;
  const writer = new PlainWriter();
  for (const char of text) writer.take(char);
  return writer.out;
}

class PlainWriter {
  out = '';
  /** The last drawn code point of the source. */
  #last = 0;
  /** Whether a ZWJ has followed it. */
  #isJoined = false;
  /** Whether `out` ends with a character that would join the next one. */
  #isLinked = false;
  /** Whether that character is a letter, which joins even a space; a virama at a word's end does not. */
  #leans = false;
  #syllable: Syllable = NO_SYLLABLE;

  take(char: string): void {
    const point = char.codePointAt(0) as number;
    switch (classOf(point)) {
      case DRAWN:
        this.#draw(char, point);
        break;
      case MARK:
        this.#mark(char, point);
        break;
      case JOINER:
        if (point === ZWJ) this.#isJoined = true;
        else if (!this.#isLinked) this.#add(char);
        break;
      case BREAK:
        this.#space(' ');
        break;
      case CONTROL:
        if (char === '\t' || char === '\n') this.#space(char);
        break;
    }
  }

  #draw(char: string, point: number): void {
    if (isSkinTone(point)) return;
    const isSequence = this.#isJoined && isPictograph(point) && isPictograph(this.#last);
    this.#isJoined = false;
    // Of emoji that are joined into one, write only the first.
    if (isSequence) return;
    const standsFor = this.#replacement(point);
    const syllable = standsFor === undefined ? syllableAfter(this.#syllable, point) : NO_SYLLABLE;
    if (this.#isLinked && (char !== ' ' || this.#leans) && !isSpacingMark(point))
      this.#add(SEPARATED);
    this.#add(standsFor ?? char);
    this.#last = point;
    this.#leans = isLinker(point);
    this.#isLinked = this.#leans;
    this.#syllable = syllable;
  }

  /** Returns what is drawn instead of a character that cannot be drawn itself. */
  #replacement(point: number): string | undefined {
    if (isRegional(point)) return String.fromCharCode(point - REGIONAL_A + 0x41);
    if (isEnclosingSign(point)) return NO_GLYPH;
    if (!fitsSyllable(this.#syllable, point)) return separateLetter(point);
    return SPLIT.get(point);
  }

  #mark(char: string, point: number): void {
    if (point === KEYCAP && /[0-9#*]$/.test(this.out.slice(-1))) return;
    this.#add(char);
    if (isLinker(point)) this.#isLinked = true;
  }

  #space(char: string): void {
    this.#add(char);
    this.#last = 0;
    this.#isJoined = false;
    this.#isLinked = false;
  }

  #add(text: string): void {
    this.out += text;
    this.#syllable = NO_SYLLABLE;
  }
}
