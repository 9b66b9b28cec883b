/**
 * The rows that an evaluation measures. Statistics and reports are computed only from these rows, so
 * anybody can compute a report again from the log that contains them.
 */

/** The answer of one way of asking (arm) to one item in one repetition. */
export interface Outcome {
  /** The name of the set. */
  readonly set: string;
  /** The id of the item. */
  readonly item: string;
  /** The statistical unit: the item itself, or the memo of which the item is a variant. */
  readonly unit: string;
  /** The variant of a memo: `flaw`, `decoy` or `clean`; absent for other items. */
  readonly variant?: string;
  readonly arm: string;
  /** The number of the repetition, from 1. */
  readonly seed: number;
  /** Whether there is an answer, an answer in the wrong form, or no answer. */
  readonly state: 'answered' | 'unreadable' | 'missing';
  /** The parsed answer; null if there is none. */
  readonly answer: string | null;
  readonly isRight: boolean;
  /** How sure the arm is, from 0 to 1; for a vote, the share of samples with this answer. Absent if not stated. */
  readonly confidence?: number;
  /** Whether the model had to be asked to give its answer again in the right form. */
  readonly isRepaired: boolean;
  /**
   * The cost in US dollars of everything that the answer took, at list price without discounts for
   * caches or batches. Null if all models are free or a price is unknown.
   */
  readonly costUsd: number | null;
  /** The tokens of everything that the answer took. */
  readonly tokens: number;
  /** The models that answered, with digests if the server reports them. */
  readonly models: readonly string[];
  /** The answers of a panel's seats before they saw one another's; absent for other arms. */
  readonly votes?: readonly {
    readonly seat: string;
    readonly answer: string | null;
    readonly isRight: boolean;
  }[];
  /** The id of the run that answered; absent if there is none. */
  readonly run?: string;
}
