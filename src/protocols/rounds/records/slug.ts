/**
 * Makes the anchors of headings as GitHub does, so that citations written by people and models are
 * found.
 */

/**
 * Converts a heading to an anchor, with hyphens between lower-case words: `Attack 2: the *lease*`
 * becomes `attack-2-the-lease`.
 */
export function makeAnchor(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/_+/g, (run, at: number, whole: string) =>
      // Keep underscores inside a word of the heading. Remove underscores at its edge, because they mark emphasis.
      isWord(whole.charAt(at - 1)) && isWord(whole.charAt(at + run.length)) ? run : '',
    )
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Makes the anchors of a page unique: the second `risk` becomes `risk-1`, the third `risk-2`. */
export class Slugs {
  /** How many further headings have the same anchor, by the anchor. */
  readonly #taken = new Map<string, number>();

  /** Returns the unique anchor for the next heading. */
  next(slug: string): string {
    let name = slug;
    let count = this.#taken.get(slug) ?? 0;
    while (this.#taken.has(name)) {
      count += 1;
      name = `${slug}-${count}`;
    }
    if (name !== slug) this.#taken.set(slug, count);
    this.#taken.set(name, this.#taken.get(name) ?? 0);
    return name;
  }
}

function isWord(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}
