/** What a run provides for a decision: ballot options, settled claims, and what is still open. */

interface GroundClaim {
  readonly id: string;
  readonly text: string;
  /** How the claim is known: `run`, `read in the text`, `argued`; absent if the claim is open. */
  readonly basis?: string | undefined;
  /** Where the claim is recorded: `state/claims.jsonl C-1-2`, or the place in a text that was read. */
  readonly place?: string | undefined;
}

/** What a run found that a person needs in order to decide. */
export interface DecisionGrounds {
  /**
   * The options of the ballots, each with the names of the seats that chose it, most votes first.
   */
  readonly options: readonly { readonly option: string; readonly by: readonly string[] }[];
  /** What the answer depends on, one line each. */
  readonly drivers: readonly string[];
  /** Claims that were confirmed, and how they were confirmed. */
  readonly claims: readonly GroundClaim[];
  /** Claims that are still open. */
  readonly open: readonly GroundClaim[];
  /** What would change the answer, one line each. */
  readonly change: readonly string[];
}

/** The value for runs in which nothing was found on which a decision can be based. */
export const NO_GROUNDS: DecisionGrounds = {
  options: [],
  drivers: [],
  claims: [],
  open: [],
  change: [],
};
