/**
 * The header of an evaluation's log. Its comparisons follow from the plan that is stored before the first call,
 * so that nothing is chosen by the result.
 */

/** The other arm of a comparison, usually a vote, in each currency; often the same in both. */
interface Against {
  /** The name of the arm that the arm is compared with by list prices; absent if nothing has a price. */
  readonly usd?: string;
  /** The name of the arm that the arm is compared with by tokens; absent if there is none. */
  readonly tokens?: string;
}

/** A comparison of two ways of asking: is `arm` better than `against`? */
export interface Contrast {
  /** The name of the arm that should be better. */
  readonly arm: string;
  /** The other arm, which may differ between dollars and tokens. */
  readonly against: Against;
}

/** A way of asking, such as a single model or a panel, that an evaluation compares with others. */
export interface Arm {
  readonly name: string;
  /** A description in one line, such as `five seats of a/b, two rounds`. */
  readonly about?: string;
  /**
   * The models that the arm may ask, by the names that were given. If the answers come from more
   * models than these, a server has put another model under the name of one of them.
   */
  readonly models: readonly string[];
}

/** What an evaluation's log says at its beginning. */
export interface Header {
  /** The name of the set of items. */
  readonly set: string;
  /** How to get the same set, such as its seed, size or file, and how much of it was answered. */
  readonly about?: string;
  /**
   * The planned number of statistical units. A unit is an item, or a memo with all its variants.
   */
  readonly units: number;
  /**
   * The planned number of turns. A turn is one unit in one repetition. Absent: each unit has one
   * turn.
   */
  readonly turns?: number;
  /** The time of the beginning, in ISO 8601, UTC. */
  readonly startedAt: string;
  /** The time of the end; absent if the evaluation has not ended. */
  readonly endedAt?: string;
  readonly arms: readonly Arm[];
  /**
   * The main comparison. The evaluation's verdict, such as a gain, is about it. Absent if nothing
   * is compared.
   */
  readonly primary?: Contrast;
  /** Further comparisons. Their p-values are corrected for their number. */
  readonly others: readonly Contrast[];
  /** The source of the prices, such as `presets/prices.json of 2026-11-01`. */
  readonly prices?: string;
  /** The kind of each item, by the item's id; absent or empty if the set has no kinds. */
  readonly kinds?: ReadonlyMap<string, string>;
  /** Whether the set was generated or written by the makers of this program. */
  readonly isOurs: boolean;
}
