/** What is written down before the first call of an evaluation, so that nobody can choose by the result. */

/** What an arm is held against: the vote that costs as much, by each currency. Often one and the same. */
interface Against {
  /** Matched at list price; absent where nothing has a price. */
  readonly usd?: string;
  /** Matched by total tokens. */
  readonly tokens?: string;
}

/** One question put to the figures: is this arm better than what it is held against? */
export interface Contrast {
  readonly arm: string;
  readonly against: Against;
}

export interface Arm {
  readonly name: string;
  /** In a line: `five seats of a/b, two rounds`. */
  readonly about?: string;
  /** The models it may ask, as they were named, each once: no more than these may have been served. */
  readonly models: readonly string[];
}

export interface Header {
  readonly set: string;
  /** Of the set, for who wants the same one: its seed, its size, the file it is from. */
  readonly about?: string;
  /** What is one in the statistics, as fixed at the start: items, or memos. */
  readonly units: number;
  /** How often they are asked in all, each unit as often as was fixed at the start; absent: once each. */
  readonly turns?: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly arms: readonly Arm[];
  /** Absent where nothing is held against anything: then there is no verdict. */
  readonly primary?: Contrast;
  /** Corrected for being several. */
  readonly others: readonly Contrast[];
  /** Where list prices are from: `presets/prices.json of 2026-11-01`. */
  readonly prices?: string;
  /** The kind of each item, where the set has kinds. */
  readonly kinds?: ReadonlyMap<string, string>;
  /** The set is generated, or was written by the makers of this tool. */
  readonly isOurs: boolean;
}
