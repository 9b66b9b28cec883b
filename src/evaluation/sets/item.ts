/**
 * An item: a question with one right answer. Models are shown `input`, and `choices` if there are some.
 * `target` and `meta` are for scoring only; they are in no run and no request.
 */

/** The kind of value, which determines how an answer is compared with the target. */
type AnswerKind = 'number' | 'choice' | 'text' | 'flaw';

export interface Item {
  readonly id: string;
  /** The text that every arm is shown. */
  readonly input: string;
  readonly target: string;
  readonly choices?: readonly string[];
  readonly kind: AnswerKind;
  readonly meta: ItemMeta;
}

interface ItemMeta {
  /** The statistical unit; default: the item's id. */
  readonly unit?: string | undefined;
  /** For a memo: 'flaw', 'decoy' or 'clean'. */
  readonly variant?: string | undefined;
  readonly [key: string]: unknown;
}

export interface ItemSet {
  readonly name: string;
  readonly items: readonly Item[];
}
