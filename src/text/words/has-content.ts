/** Whether a sentence says anything: small models fill the fields of a form with signs and scraps. */
import { isCommon } from './telling.ts';

/** The least share of letters and figures among the visible characters of a sentence. */
const LEAST_SHARE = 1 / 3;

/**
 * Returns whether a text has a word or a figure that carries meaning, and is not mostly signs. Words of
 * other languages than English all do.
 */
export function hasContent(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const visible = text.replace(/\s/gu, '').length;
  const written = words.reduce((sum, word) => sum + word.length, 0);
  return written >= visible * LEAST_SHARE && words.some((word) => !isCommon(word));
}
