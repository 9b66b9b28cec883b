/**
 * Decides whether a text has visible content. Runs and `validate` use the same rule, so that no run
 * leaves records that its validator refuses.
 */

/**
 * Matches visible characters: letters, digits, punctuation and symbols, without those that are
 * drawn as nothing.
 */
const DRAWN = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * Returns whether a text contains anything visible. Spaces, control characters and invisible
 * letters do not count.
 */
export function hasVisibleText(text: string): boolean {
  return DRAWN.test(text);
}
