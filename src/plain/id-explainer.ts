/** Finds ids in texts, such as that of the claim `C-2-1`, and explains them where they occur first. */

/** Matches words that may be ids: `C-2-1`, `security-2`, `S-3`. */
export const ID =
  /(?<![\p{L}\p{N}_-])\p{L}[\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*-\d+(?![\p{L}\p{N}_-])/gu;

/**
 * A short description of what each id stands for, such as the sentence of the claim `C-2-1`. Descriptions contain
 * other people's words, which are not yet cleaned or escaped.
 */
export type IdDescriptions = ReadonlyMap<string, string>;

/**
 * Adds to each id, such as `C-2-1`, a short description of what it stands for, but only where the id occurs first
 * in the texts that one explainer is given.
 */
export class IdExplainer {
  readonly #meanings: IdDescriptions;
  readonly #told = new Set<string>();

  constructor(meanings: IdDescriptions) {
    this.#meanings = meanings;
  }

  /** Marks an id as explained, and returns it. */
  tell(id: string): string {
    this.#told.add(id);
    return id;
  }

  /** Adds its description to each id in a text that has one and was not explained before. */
  explain(text: string): string {
    return text.replace(ID, (id, at: number) => {
      const meaning = this.#meanings.get(id);
      if (meaning === undefined || this.#told.has(id)) return id;
      this.#told.add(id);
      const isBracketed = text[at - 1] === '(' && text[at + id.length] === ')';
      return isBracketed ? `${id}: ${meaning}` : `${id} (${meaning})`;
    });
  }
}
