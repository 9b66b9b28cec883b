/**
 * What an evaluation measures, one row at a time. Statistics and reports are made of these rows and
 * of nothing else, so a report can be made anew, by anybody, from the log that holds them.
 */

/** One item answered once by one arm. */
export interface Outcome {
  readonly set: string;
  readonly item: string;
  /** What is one in the statistics: the item itself, or a memo whose three variants are three items. */
  readonly unit: string;
  /** Of a memo: 'flaw', 'decoy' or 'clean'. */
  readonly variant?: string;
  readonly arm: string;
  /** 1, 2, …: the repetition. */
  readonly seed: number;
  readonly state: 'answered' | 'unreadable' | 'missing';
  /** As read; null where none was. */
  readonly answer: string | null;
  readonly isRight: boolean;
  /** 0 to 1, where the arm said it. */
  readonly confidence?: number;
  readonly isRepaired: boolean;
  /** At list price, without cache or batch discount; everything included. Null for local models. */
  readonly costUsd: number | null;
  readonly tokens: number;
  /** As served, with digests where the server says them. */
  readonly models: readonly string[];
  /** Round-0 votes of a panel's seats. */
  readonly votes?: readonly {
    readonly seat: string;
    readonly answer: string | null;
    readonly isRight: boolean;
  }[];
  readonly run?: string;
}
