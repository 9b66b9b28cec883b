/**
 * A question with one right answer. What a model gets to read is `input`, and `choices` where there
 * are some; `target` and `meta` are for scoring, stay outside of runs, and reach no request.
 */

/** How an answer is compared with its target: what kind of value it is. */
type AnswerKind = 'number' | 'choice' | 'text' | 'flaw';

export interface Item {
  readonly id: string;
  /** Everybody gets these bytes. */
  readonly input: string;
  readonly target: string;
  readonly choices?: readonly string[];
  readonly kind: AnswerKind;
  readonly meta: ItemMeta;
}

interface ItemMeta {
  /** What is one in the statistics; the item's id where it is not said. */
  readonly unit?: string | undefined;
  /** Of a memo: 'flaw', 'decoy' or 'clean'. */
  readonly variant?: string | undefined;
  readonly [key: string]: unknown;
}

export interface ItemSet {
  readonly name: string;
  readonly items: readonly Item[];
}
