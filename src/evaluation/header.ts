/**
 * The header of an evaluation. It is stored before the first call, so that nothing is chosen by the result.
 */

/** The vote that an arm is compared with, by each currency; often the same. */
interface Against {
  /** The vote of equal list price; absent if nothing has a price. */
  readonly usd?: string;
  /** The vote of equal total tokens. */
  readonly tokens?: string;
}

/** One comparison: is this arm better than the other one? */
export interface Contrast {
  readonly arm: string;
  readonly against: Against;
}

export interface Arm {
  readonly name: string;
  /** A description in one line: `five seats of a/b, two rounds`. */
  readonly about?: string;
  /**
   * The distinct models that it may ask, by their given names; no more models than these may have been
   * served.
   */
  readonly models: readonly string[];
}

export interface Header {
  readonly set: string;
  /** How to get the same set: its seed, its size, its file. */
  readonly about?: string;
  /** The number of statistical units as planned: items, or memos. */
  readonly units: number;
  /** The planned number of repetitions of all units together; absent: one each. */
  readonly turns?: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly arms: readonly Arm[];
  /** The primary contrast; absent if nothing is compared, so that there is no verdict. */
  readonly primary?: Contrast;
  /** Other contrasts, whose p-values are corrected for their number. */
  readonly others: readonly Contrast[];
  /** The source of list prices: `presets/prices.json of 2026-11-01`. */
  readonly prices?: string;
  /** The kind of each item, if the set has kinds. */
  readonly kinds?: ReadonlyMap<string, string>;
  /** Whether the set is generated or was written by the makers of this tool. */
  readonly isOurs: boolean;
}
