/**
 * The rows that an evaluation measures. Statistics and reports are computed only from these rows, so
 * anybody can compute a report again from the log that contains them.
 */

/** One answer of one arm to one item. */
export interface Outcome {
  readonly set: string;
  readonly item: string;
  /** The statistical unit: the item itself, or a memo whose three variants are three items. */
  readonly unit: string;
  /** For a memo: 'flaw', 'decoy' or 'clean'. */
  readonly variant?: string;
  readonly arm: string;
  /** 1, 2, …: the repetition. */
  readonly seed: number;
  readonly state: 'answered' | 'unreadable' | 'missing';
  /** The parsed answer; null if there is none. */
  readonly answer: string | null;
  readonly isRight: boolean;
  /** From 0 to 1, if the arm stated it. */
  readonly confidence?: number;
  readonly isRepaired: boolean;
  /**
   * The cost at list price, without discounts for caches or batches; everything included. Null for local
   * models.
   */
  readonly costUsd: number | null;
  readonly tokens: number;
  /** The served models, with digests if the server reports them. */
  readonly models: readonly string[];
  /** The votes of a panel's seats before the first round. */
  readonly votes?: readonly {
    readonly seat: string;
    readonly answer: string | null;
    readonly isRight: boolean;
  }[];
  readonly run?: string;
}
