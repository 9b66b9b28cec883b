/** Whether a sentence says anything: small models fill the fields of a form with signs and scraps. */

/** English words that hold a sentence together and say nothing without others. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its i you he she we they me us him them my your his her our their',
    'am is are was were be been being do does did has have had will would can could should may might must',
    'of to in on at by for from with as into and or but nor so if then than not',
    'which who whom whose what when where how why there here also just only very',
  ].flatMap((line) => line.split(' ')),
);
/** The least share of letters and figures among the visible characters of a sentence. */
const LEAST_SHARE = 1 / 3;

/**
 * Returns whether a text has a word or a figure that says something by itself, and is not mostly signs.
 * Words of other languages than English all count.
 */
export function hasContent(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const visible = text.replace(/\s/gu, '').length;
  const written = words.reduce((sum, word) => sum + word.length, 0);
  return written >= visible * LEAST_SHARE && words.some((word) => !FUNCTION_WORDS.has(word));
}
