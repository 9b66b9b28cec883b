/** What a protocol's runs say of a decision that is taken on them: options, grounds, what is open. */

interface GroundClaim {
  readonly id: string;
  readonly text: string;
  /** How it is known: `run`, `read in the text`, `argued`. Absent of one that is open. */
  readonly basis?: string | undefined;
  /** Where it is on record: `state/claims.jsonl C-1-2`, or the place that was read. */
  readonly place?: string | undefined;
}

export interface DecisionGrounds {
  /** The options of the ballots, most votes first, with the names of those who chose them. */
  readonly options: readonly { readonly option: string; readonly by: readonly string[] }[];
  /** What the question turns on, a line each. */
  readonly drivers: readonly string[];
  /** Claims that were decided, and how each is known. */
  readonly claims: readonly GroundClaim[];
  /** Claims that are open. */
  readonly open: readonly GroundClaim[];
  /** What would change the answer, a line each. */
  readonly change: readonly string[];
}

/** Of a run that knows nothing of the kind. */
export const NO_GROUNDS: DecisionGrounds = {
  options: [],
  drivers: [],
  claims: [],
  open: [],
  change: [],
};
