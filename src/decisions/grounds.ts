/** What a run provides for a decision: ballot options, settled claims, and what is still open. */

interface GroundClaim {
  readonly id: string;
  readonly text: string;
  /** How the claim is known: `run`, `read in the text`, `argued`; absent if the claim is open. */
  readonly basis?: string | undefined;
  /** Where the claim is recorded: `state/claims.jsonl C-1-2`, or the place in a text that was read. */
  readonly place?: string | undefined;
}

export interface DecisionGrounds {
  /** The ballot options with the names of those who chose them, most votes first. */
  readonly options: readonly { readonly option: string; readonly by: readonly string[] }[];
  /** The considerations that the question turns on, one line each. */
  readonly drivers: readonly string[];
  /** Claims that are settled, and how each is known. */
  readonly claims: readonly GroundClaim[];
  readonly open: readonly GroundClaim[];
  /** What would change the answer, one line for each condition. */
  readonly change: readonly string[];
}

/** The grounds of a run whose protocol provides none. */
export const NO_GROUNDS: DecisionGrounds = {
  options: [],
  drivers: [],
  claims: [],
  open: [],
  change: [],
};
