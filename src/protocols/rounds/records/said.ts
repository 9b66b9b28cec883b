/**
 * Whether a text says anything: what a seat may hand in and what `validate` accepts are one rule, or a
 * run could leave records behind that its own validator refuses.
 */

/** What is drawn: letters, figures, marks and signs, less those that only look like nothing. */
const DRAWN = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * Returns whether a text contains anything visible. Spaces, control characters and invisible
 * letters do not count.
 */
export function says(text: string): boolean {
  return DRAWN.test(text);
}
