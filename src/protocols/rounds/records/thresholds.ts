/**
 * The numbers of the method, in one place. Each is the method's own unless its comment says that it is
 * ours; ours say how much a detector must have seen before it accuses anybody, and were set by the
 * simulated runs in test/records.
 */

/** How many of the last rounds signals 1 and 2 and failure mode 6 look at (docs/rounds.md lists both). */
export const WINDOW = 3;

/** Signal 1: fewer rounds have no peak to fall from. */
export const ROUNDS_FOR_A_PEAK = 6;

/** Signal 2 and failure mode 1, verdicts of a whole round of four checks: a fall no steeper than this counts as flat. */
export const FLAT = -0.2;

/** Signal 3: lead entropy, as a share of what evenly shared leads would have. */
export const LEAD_BALANCE = 0.7;

/** Signal 6: claims still pending, of all. */
export const PENDING_LIMIT = 0.3;

/**
 * Ours. Signal 6 under the second rules: of fewer claims that standing decisions rest on a share says
 * little. Without it 3 of 400 simulated panels of flatterers got through, whose other decisions had all
 * lost their ground.
 */
export const RELIED_FOR_A_SHARE = 4;

/**
 * Ours. The alarm under the second rules: disagreement falls by a verdict a round over the last three,
 * at two readings running. In 8 simulated rounds that is 14 % of healthy panels and 40 % of sycophantic
 * ones; what signal 2 calls flat would be left by 60 % and 80 %.
 */
export const ALARMING = -1;

/** Failure mode 1: so many rounds running in which every verdict is ROBUST. */
export const ROBUST_RUN = 3;

/**
 * Ours. Failure mode 1: a fall exceeds what chance does by so many standard deviations. Fewer rounds
 * than the method's smallest budget are read again and again while they are still few, so that they
 * need more; below `ROUNDS_FOR_A_FALL` no fall is steep enough.
 */
export const ROUNDS_FOR_A_FALL = 5;
export const NOISE_OF_AN_EARLY_FALL = 2.75;
export const NOISE_OF_A_FALL = 2.1;

/** Failure mode 2: BROKEN, of all verdicts. */
export const BROKEN_SHARE = 0.8;

/** Ours. Failure mode 2, "several rounds": the run as a whole from here on, and its last so many. */
export const ROUNDS_OF_BROKEN = 3;
export const RECENT_BROKEN = 4;

/** Ours. Failure mode 2: fewer verdicts say little of a share. */
export const VERDICTS_FOR_A_SHARE = 9;

/** The method's smallest budget: shorter runs have no late rounds to compare with early ones. */
export const SMALLEST_BUDGET = 8;

/** Ours. Failure mode 3: early and late are the first and the last third of the rounds. */
export const THIRD = 1 / 3;

/**
 * Ours. Failure mode 3: how much silence about early decisions is no accident. Either so many late
 * decisions cite others and none leads back to an early one; or so few as `LATE_DECISIONS` already, in
 * a panel of which this share of the decisions before them cited another.
 */
export const LATE_CITING = 8;
export const LATE_DECISIONS = 4;
export const CITING_HABIT = 0.9;

/** Failure mode 4: lead entropy, as for signal 3; and one role's share of the leads. */
export const LEAD_DOMINANCE = 0.6;
export const LEAD_MAJORITY = 0.5;

/** Failure mode 5, claims a round; and claims pending, of all. */
export const INFLATED = 10;
export const STARVED = 2;
export const INFLATED_PENDING = 0.6;

/** Ours. Failure mode 5: rounds that a rate is taken over, so that one poor round accuses nobody. */
export const ROUNDS_FOR_A_RATE = 4;

/** Ours. Failure mode 6: verdicts that must have been possible before their silence says anything. */
export const VERDICTS_FOR_A_BYPASS = 4;

/** Failure mode 8: with so many signals or fewer a run past its budget is not converging. */
export const FEW_SIGNALS = 3;
