/**
 * An item: a question with one right answer. Models are shown `input`, and `choices` if there are some.
 * `target` and `meta` are for scoring only; they are in no run and no request.
 */

/** The kind of value, which determines how an answer is compared with the target. */
type AnswerKind = 'number' | 'choice' | 'text' | 'flaw';

/** A question with one right answer. */
export interface Item {
  readonly id: string;
  /** The text that every arm is shown. */
  readonly input: string;
  /** The right answer. It is for scoring only and never shown to a model. */
  readonly target: string;
  /** The possible answers; absent if the answer is not chosen from a list. */
  readonly choices?: readonly string[];
  /** The kind of answer, which decides how it is compared with the right one. */
  readonly kind: AnswerKind;
  /** Facts about the item that are for scoring only. */
  readonly meta: ItemMeta;
}

interface ItemMeta {
  /** The statistical unit; default: the item's id. */
  readonly unit?: string | undefined;
  /** For a memo: 'flaw', 'decoy' or 'clean'. */
  readonly variant?: string | undefined;
  readonly [key: string]: unknown;
}

/** A named set of items. */
export interface ItemSet {
  readonly name: string;
  readonly items: readonly Item[];
}
