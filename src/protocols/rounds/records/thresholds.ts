/**
 * The numbers of the method, in one place. Each is the method's own unless its comment says that it is
 * ours; ours say how much a detector must have seen before it accuses anybody, and were set by the
 * simulated runs in test/records.
 */

/**
 * The number of last rounds at which signals 1 and 2 and failure mode 6 look. docs/rounds.md lists
 * all signals and failure modes.
 */
export const WINDOW = 3;

/** Signal 1: the fewest rounds in which a peak of status changes can be recognized. */
export const ROUNDS_FOR_A_PEAK = 6;

/**
 * Signal 2 and failure mode 1: the steepest slope of disagreement that counts as level, in verdicts
 * for each round.
 */
export const FLAT = -0.2;

/** Signal 3: the least entropy of leads, as a share of the entropy of evenly shared leads. */
export const LEAD_BALANCE = 0.7;

/** Signal 6: the share of undecided claims must be below this value. */
export const PENDING_LIMIT = 0.3;

/**
 * Signal 6 since edition 2 of the rules: the fewest claims with valid decisions on them for which a
 * share is computed. The value is our own: without it, 3 of 400 simulated sycophantic panels
 * passed, because their decisions had lost their grounds.
 */
export const RELIED_FOR_A_SHARE = 4;

/**
 * The slope of disagreement that raises the alarm since edition 2 of the rules: over the last three
 * rounds, at two readings in a row. The value is our own: in 8 simulated rounds, 14 % of healthy
 * panels and 40 % of sycophantic ones raise the alarm. The bound of signal 2 would be 60 % and 80
 * %.
 */
export const ALARMING = -1;

/** Failure mode 1: the number of rounds in a row in which all verdicts are ROBUST. */
export const ROBUST_RUN = 3;

/**
 * Failure mode 1: the fewest rounds in which a fall of disagreement can be recognized. The value is
 * our own.
 */
export const ROUNDS_FOR_A_FALL = 5;
/**
 * Failure mode 1: the standard deviations by which a fall must exceed chance before round 8. The
 * bound is higher than later because the same few rounds are tested repeatedly. The value is our
 * own.
 */
export const NOISE_OF_AN_EARLY_FALL = 2.75;
/**
 * Failure mode 1: the standard deviations by which a fall must exceed chance from round 8 on. The
 * value is our own.
 */
export const NOISE_OF_A_FALL = 2.1;

/** Failure mode 2: the share of BROKEN verdicts from which criticism is suspicious. */
export const BROKEN_SHARE = 0.8;

/**
 * Failure mode 2: the fewest rounds for which the share of the whole run is tested. The value is
 * our own.
 */
export const ROUNDS_OF_BROKEN = 3;
/** Failure mode 2: the number of last rounds whose share is tested, too. The value is our own. */
export const RECENT_BROKEN = 4;

/** Failure mode 2: the fewest verdicts for which a share is computed. The value is our own. */
export const VERDICTS_FOR_A_SHARE = 9;

/**
 * The fewest rounds of the original method. Shorter runs have no late rounds to compare with early
 * ones.
 */
export const SMALLEST_BUDGET = 8;

/**
 * Failure mode 3: the first third of the rounds is early, the last third is late. The value is our
 * own.
 */
export const THIRD = 1 / 3;

/**
 * Failure mode 3: the number of late decisions with citations of which none leads back to an early
 * decision. The value is our own.
 */
export const LATE_CITING = 8;
/**
 * Failure mode 3: the number of late decisions that suffices for a suspicion if `CITING_HABIT` is
 * met. The value is our own.
 */
export const LATE_DECISIONS = 4;
/**
 * Failure mode 3: the share of earlier decisions that must cite others, so that silence of late
 * ones is suspicious. The value is our own.
 */
export const CITING_HABIT = 0.9;

/**
 * Failure mode 4: the entropy of leads below which one role dominates, as a share of the entropy of
 * evenly shared leads.
 */
export const LEAD_DOMINANCE = 0.6;
/** Failure mode 4: the share of rounds above which a role dominates. */
export const LEAD_MAJORITY = 0.5;

/** Failure mode 5: more claims for each round than this are too many. */
export const INFLATED = 10;
/** Failure mode 5: fewer claims for each round than this are too few. */
export const STARVED = 2;
/** Failure mode 5: the share of undecided claims above which there are too many claims. */
export const INFLATED_PENDING = 0.6;

/**
 * Failure mode 5: the number of last rounds over which claims are counted, so that a single round
 * raises no suspicion. The value is our own.
 */
export const ROUNDS_FOR_A_RATE = 4;

/**
 * Failure mode 6: the fewest verdicts that must have been possible before their lack is suspicious.
 * The value is our own.
 */
export const VERDICTS_FOR_A_BYPASS = 4;

/**
 * Failure mode 8: with this number of satisfied signals or fewer, a run past its planned rounds
 * does not converge.
 */
export const FEW_SIGNALS = 3;
