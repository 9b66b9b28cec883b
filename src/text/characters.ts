/**
 * Classifies code points by their effect in a terminal: whether they draw, combine, join, or only hide. The
 * sanitiser decides by the class what may pass, the layout decides by it how many cells a glyph takes. Both
 * ask for every non-ASCII character of a stream, so the answers are cached in flat tables.
 */
import { eastAsianWidth } from 'get-east-asian-width';

/** The zero-width non-joiner, which is legitimate only between certain letters. */
export const ZWNJ = 0x200c;
/** The zero-width joiner, which is legitimate only between certain letters and in emoji. */
export const ZWJ = 0x200d;

/** What `classOf` returns for visible characters and spaces. */
export const DRAWN = 1;
/** What `classOf` returns for invisible characters, such as bidirectional controls, which are removed. */
export const HIDDEN = 2;
/** What `classOf` returns for marks that combine with the character before them. */
export const MARK = 3;
/** What `classOf` returns for variation selectors, which choose a variant of the character before them. */
export const SELECTOR = 4;
/** What `classOf` returns for the zero-width joiner and the zero-width non-joiner. */
export const JOINER = 5;
/** What `classOf` returns for control characters: C0 with newline and tab, DEL, and C1. */
export const CONTROL = 6;
/** What `classOf` returns for the line separator U+2028 and the paragraph separator U+2029. */
export const BREAK = 7;

type CharacterClass =
  | typeof DRAWN
  | typeof HIDDEN
  | typeof MARK
  | typeof SELECTOR
  | typeof JOINER
  | typeof CONTROL
  | typeof BREAK;

/** The size of the tables: the two planes that contain text. Other planes are classified by range. */
const TABLE_SIZE = 0x20000;
const classes = new Uint8Array(TABLE_SIZE);
const widths = new Uint8Array(TABLE_SIZE);

const VARIATION = /^\p{Variation_Selector}$/u;
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;
const FORMAT = /^\p{Cf}$/u;
/**
 * Arabic, Syriac and Kaithi signs that enclose the digits after them. Unicode counts them as format
 * characters, but they are visible. (The property Prepended_Concatenation_Mark, which regular
 * expressions do not support.)
 */
export const ENCLOSING_SIGNS = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
const DRAWN_FORMAT = new RegExp(`^[${ENCLOSING_SIGNS}]$`, 'u');
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
/** Scripts whose letters change shape at a joiner. In other scripts a joiner has no effect. */
const JOINING_SCRIPT =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nko}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u;

/** Returns the class of a code point: one of the constants `DRAWN` to `BREAK`. */
export function classOf(point: number): CharacterClass {
  if (point < TABLE_SIZE) {
    const known = classes[point] as CharacterClass | 0;
    if (known !== 0) return known;
    const found = classify(point);
    classes[point] = found;
    return found;
  }
  return point >= 0xe0000 && point <= 0xe0fff ? HIDDEN : DRAWN;
}

function classify(point: number): CharacterClass {
  if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) return CONTROL;
  if (point === ZWJ || point === ZWNJ) return JOINER;
  if (point === 0x2028 || point === 0x2029) return BREAK;
  const char = String.fromCodePoint(point);
  if (VARIATION.test(char)) return SELECTOR;
  if (IGNORABLE.test(char)) return HIDDEN;
  if (COMBINING.test(char)) return MARK;
  if (FORMAT.test(char) && !DRAWN_FORMAT.test(char)) return HIDDEN;
  return DRAWN;
}

/**
 * Returns whether a variation selector may follow this character: a non-ASCII character of the class
 * `DRAWN`, or the base of a keycap emoji. After other characters a selector could only hide information.
 */
export function takesSelector(point: number): boolean {
  if (point < 0x80) return point === 0x23 || point === 0x2a || (point >= 0x30 && point <= 0x39);
  return classOf(point) === DRAWN;
}

/**
 * Returns the number of terminal cells that a code point takes: 0, 1 or 2, as xterm.js, VTE, Windows
 * Terminal and tmux count. Characters of ambiguous width take one cell. A lone surrogate counts as the
 * U+FFFD that is written in its place.
 */
export function cellWidth(point: number): 0 | 1 | 2 {
  if (point >= 0x20 && point < 0x7f) return 1;
  if (point < TABLE_SIZE) {
    const known = widths[point] as 0 | 1 | 2 | 3;
    if (known !== 0) return (known - 1) as 0 | 1 | 2;
    const found = measureWidth(point);
    widths[point] = found + 1;
    return found;
  }
  return measureWidth(point);
}

function measureWidth(point: number): 0 | 1 | 2 {
  if (classOf(point) !== DRAWN) return 0;
  // Hangul vowels and final consonants have no width: they are drawn inside the syllable that an initial
  // consonant began.
  if (point >= 0x1160 && point <= 0x11ff) return 0;
  if (point >= 0xd7b0 && point <= 0xd7ff) return 0;
  return eastAsianWidth(point);
}

/** Returns whether a code point is an emoji or another pictograph. */
export function isPictograph(point: number): boolean {
  return point >= 0xa9 && PICTOGRAPH.test(String.fromCodePoint(point));
}

/** Returns whether a code point is a skin tone, which changes the emoji before it. */
export function isSkinTone(point: number): boolean {
  return point >= 0x1f3fb && point <= 0x1f3ff;
}

/** Returns whether a code point is a regional indicator, two of which make a flag. */
export function isRegional(point: number): boolean {
  return point >= REGIONAL_A && point < REGIONAL_A + 26;
}

/** The regional indicator of the letter A; those of the other letters follow. */
export const REGIONAL_A = 0x1f1e6;

/**
 * Returns whether a joiner next to this letter or mark changes how the letter is written, as in
 * Arabic.
 */
export function isJoiningScript(point: number): boolean {
  return point >= 0x300 && JOINING_SCRIPT.test(String.fromCodePoint(point));
}

/**
 * Characters that Unicode joins with the next letter into one grapheme: the viramas of GB9c (since 15.1)
 * and the letters of GB9b. Some terminals, and Ink, count such a pair as one cell and others as two. The
 * list is every character for which ICU 78 does so.
 */
const LINKERS: ReadonlySet<number> = new Set([
  ...[0x94d, 0x9cd, 0xacd, 0xb4d, 0xc4d, 0xd4d, 0x1039, 0x17d2, 0x1a60, 0x1b44, 0x1bab, 0xa9c0],
  ...[0xaaf6, 0x10a3f, 0x11133, 0x113d0, 0x1193e, 0x11a47, 0x11a99, 0x11f42],
  ...[0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a84, 0x11a85, 0x11a86, 0x11a87],
  ...[0x11a88, 0x11a89, 0x11d46, 0x11f02],
]);

/**
 * Returns whether Unicode joins a code point with the next letter into one grapheme. Such code points are
 * viramas, which link two consonants of an Indic script, and a few letters.
 */
export function isLinker(point: number): boolean {
  return point >= 0x94d && LINKERS.has(point);
}

/**
 * Returns whether a code point is a sign that encloses the digits after it. Programs disagree on
 * the width of such signs.
 */
export function isEnclosingSign(point: number): boolean {
  return point >= 0x600 && DRAWN_FORMAT.test(String.fromCodePoint(point));
}

const SPACING_MARK = /^[\p{Mc}\u0e33\u0eb3\uff9e\uff9f]$/u;

/**
 * Returns whether a code point is a mark that takes a cell of its own, as Indic vowel signs and Thai
 * SARA AM do. A layout must not separate such a mark from the letter before it.
 */
export function isSpacingMark(point: number): boolean {
  return point >= 0x903 && SPACING_MARK.test(String.fromCodePoint(point));
}
