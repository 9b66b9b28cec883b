/**
 * Handles Hangul that is spelled in jamo. An initial, a vowel and possibly a final are drawn as one
 * syllable of two cells. Programs disagree on the width of a vowel or final elsewhere, so it is shown as a
 * letter of its own.
 */

/** The state between Hangul syllables: none has begun, or the last one is complete. */
export const NO_SYLLABLE = 0;
const AFTER_INITIAL = 1;
const AFTER_VOWEL = 2;
/** The part of a Hangul syllable that was read last, which decides what may follow. */
export type Syllable = typeof NO_SYLLABLE | typeof AFTER_INITIAL | typeof AFTER_VOWEL;

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/**
 * The number of code points from one syllable without a final consonant to the next such syllable.
 */
const FINALS = 28;

const FIRST_VOWEL = 0x1161;
const FIRST_FINAL = 0x11a8;
/** Separate letters, in the order of the jamo from `FIRST_FINAL` on. */
const FINAL_LETTERS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';
/** Separate letters, in the order of the jamo from `FIRST_VOWEL` on. */
const VOWEL_LETTERS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ';

/**
 * Returns whether a Hangul vowel or final consonant may follow in the syllable. True for any other
 * character.
 */
export function fitsSyllable(syllable: Syllable, point: number): boolean {
  if (isVowel(point)) return syllable === AFTER_INITIAL;
  if (isFinal(point)) return syllable === AFTER_VOWEL;
  return true;
}

/** Returns which part of a syllable was read last, after the character `point` was read as well. */
export function syllableAfter(before: Syllable, point: number): Syllable {
  if (isInitial(point)) return AFTER_INITIAL;
  if (isVowel(point)) return AFTER_VOWEL;
  if (before === AFTER_INITIAL) return NO_SYLLABLE;
  const isSyllable = point >= FIRST_SYLLABLE && point <= LAST_SYLLABLE;
  return isSyllable && (point - FIRST_SYLLABLE) % FINALS === 0 ? AFTER_VOWEL : NO_SYLLABLE;
}

/**
 * Returns the separate letter for a Hangul vowel or final consonant; U+FFFD for archaic ones, which
 * have none.
 */
export function separateLetter(point: number): string {
  const letter = isVowel(point)
    ? VOWEL_LETTERS.charAt(point - FIRST_VOWEL)
    : FINAL_LETTERS.charAt(point - FIRST_FINAL);
  return letter === '' ? '\ufffd' : letter;
}

function isInitial(point: number): boolean {
  return (point >= 0x1100 && point <= 0x115e) || (point >= 0xa960 && point <= 0xa97c);
}

function isVowel(point: number): boolean {
  return (point >= FIRST_VOWEL && point <= 0x11a7) || (point >= 0xd7b0 && point <= 0xd7c6);
}

function isFinal(point: number): boolean {
  return (point >= FIRST_FINAL && point <= 0x11ff) || (point >= 0xd7cb && point <= 0xd7fb);
}
