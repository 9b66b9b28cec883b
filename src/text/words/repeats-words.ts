/** Decides whether a text keeps repeating the same words, as small models do when they fill in a form. */

/** Words from which on a text can be said to repeat itself. A slogan or a list of equal cells is shorter. */
const LEAST_WORDS = 40;
/** The share of different words below which a text repeats itself. A page of prose has a third and more. */
const LEAST_SHARE = 0.1;

/** The number of words in a row that count as a stretch. */
const STRETCH = 50;
/** The most different words of a stretch that goes round. A stretch of prose has thirty and more. */
const MAX_DIFFERENT = 7;

/** A piece of a word that follows itself thirty times: "jerryjerryjerry…". */
const SAME_PIECE = /(\p{L}\S{1,30}?)\1{29}/u;

/**
 * Returns whether a text repeats itself, like "and you must find it, and you must find it, …". Of a
 * text of 40 words or more, fewer than a tenth are then different, or at most seven of 50 words in a
 * row. A text in which a piece follows itself thirty times, like "jerryjerryjerry…", always does.
 */
export function repeatsWords(text: string): boolean {
  if (SAME_PIECE.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length < LEAST_WORDS) return false;
  return new Set(words).size < words.length * LEAST_SHARE || hasStaleStretch(words);
}

/**
 * Returns whether some 50 words in a row contain only a few different words. Each number counts as a new word,
 * because tables repeat numbers.
 */
function hasStaleStretch(words: readonly string[]): boolean {
  const times = new Map<string, number>();
  const hasLetter = (word: string): boolean => /\p{L}/u.test(word);
  const keys = words.map((word, at) => (hasLetter(word) ? word : `${word} ${at}`));
  for (const [at, word] of keys.entries()) {
    times.set(word, (times.get(word) ?? 0) + 1);
    const gone = keys[at - STRETCH];
    if (gone !== undefined) {
      const left = (times.get(gone) ?? 0) - 1;
      if (left > 0) times.set(gone, left);
      else times.delete(gone);
    }
    if (at >= STRETCH - 1 && times.size <= MAX_DIFFERENT) return true;
  }
  return false;
}
