/** Decides whether a text goes on saying the same words, as small models fill the field of a form. */

/** Words from which on a text can be said to repeat itself. A slogan or a list of equal cells is shorter. */
const LEAST_WORDS = 40;
/** The share of different words below which a text repeats itself. A page of prose has a third and more. */
const LEAST_SHARE = 0.1;

/** A piece of a word that follows itself thirty times: "jerryjerryjerry…". */
const SAME_PIECE = /(\p{L}\S{1,30}?)\1{29}/u;

/**
 * Returns whether a text of some length has hardly any different words or
 * pieces of words: "position.position.position. …".
 */
export function repeatsWords(text: string): boolean {
  if (SAME_PIECE.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.length >= LEAST_WORDS && new Set(words).size < words.length * LEAST_SHARE;
}
