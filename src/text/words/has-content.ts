/** Decides whether a sentence has content: small models fill the fields of a form with signs and scraps. */
import { isCommon } from './telling.ts';

/** The least share of letters and figures among the visible characters of a sentence. */
const LEAST_SHARE = 1 / 3;

/** Ids of records, such as claims and sources: `C-1-2`, `S-1#L1`, `S-1#p2L1`. */
const IDS = /\b[A-Z]-\d+(?:-\d+)?(?:#(?:[ps]\d+)?L\d+(?:-(?:[ps]\d+)?L?\d+)?)?\b/g;

/** Scripts without spaces between words. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Returns whether a text has a word or a number that carries meaning, and at least a third of its
 * visible characters are letters or digits. Ids of records, such as `C-1-2`, and common English
 * words, such as "the", carry no meaning.
 */
export function hasContent(text: string): boolean {
  const words = splitWords(text);
  const visible = text.replace(/\s/gu, '').length;
  const written = words.reduce((sum, word) => sum + word.length, 0);
  if (written < visible * LEAST_SHARE) return false;
  return splitWords(text.replace(IDS, ' ')).some((word) => !isCommon(word));
}

/**
 * Returns whether a text has at most one word and so is no sentence: "dance", or signs without a space such as
 * "[a]barec-dj-005". Always false for scripts that put no spaces between words.
 */
export function isSingleWord(text: string): boolean {
  if (WITHOUT_SPACES.test(text)) return false;
  return splitWords(text).length < 2 || !/\s/u.test(text.trim());
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
