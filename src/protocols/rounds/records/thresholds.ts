/**
 * The thresholds of signals and failure modes. Each value is that of the original method, unless
 * its comment says that it was chosen for this program. Chosen values set how much data a detector needs
 * before it suspects a failure mode. They were chosen by the simulated runs in test/records.
 */

/**
 * The number of latest rounds that signal 1, the alarm (a warning that disagreement falls) and failure mode 6
 * examine, and the fewest rounds for signal 2. docs/rounds.md lists all signals and failure modes.
 */
export const WINDOW = 3;

/** Signal 1: the fewest rounds in which a peak of status changes can be recognized. */
export const ROUNDS_FOR_A_PEAK = 6;

/**
 * Signal 2: disagreement counts as level if its slope, in verdicts per round, is not below this value. If the slope
 * is above this value, failure mode 1 does not suspect a fall.
 */
export const FLAT = -0.2;

/**
 * Signal 3 requires that no role leads too large a share of the rounds. The entropy of the distribution of leads over
 * the roles must be at least this share of its maximum, which is reached if all roles lead equally often. With four
 * roles, one may lead six of nine rounds, but not seven of ten.
 */
export const LEAD_BALANCE = 0.7;

/** Signal 6: the share of undecided claims must be below this value. */
export const PENDING_LIMIT = 0.3;

/**
 * Signal 6, since edition 2 of the rules, is only computed if valid decisions rest on at least this
 * number of claims that do not only repeat the text. The value was chosen for this program: without it, 3 of 400
 * simulated panels that only agreed with themselves satisfied the signal.
 */
export const RELIED_FOR_A_SHARE = 4;

/**
 * Since edition 2 of the rules, the alarm (a warning that disagreement falls) is raised if the slope of
 * disagreement, in verdicts per round, is at or below this value twice in a row. The slope is measured over
 * three rounds. The value was chosen for this program: it raises the alarm for 14 % of healthy simulated panels and for
 * 40 % of sycophantic panels. With the bound of signal 2, `FLAT`, these would be 60 % and 80 %.
 */
export const ALARMING = -1;

/**
 * Failure mode 1 (sycophancy) is suspected after this number of rounds in a row in which all
 * verdicts, at least two in each round, are ROBUST.
 */
export const ROBUST_RUN = 3;

/**
 * The fewest rounds in which a fall of disagreement can be recognized, for failure mode 1 ("Early
 * consensus"). The original method of rounds gives no value; the value was chosen for this program.
 */
export const ROUNDS_FOR_A_FALL = 5;
/**
 * Before round 8, a fall of disagreement makes failure mode 1 (sycophancy) suspected only if it is more than this
 * number of standard deviations. A standard deviation is that of the change in a panel whose disagreement varies only
 * by chance. The value was chosen for this program. It is higher than `NOISE_OF_A_FALL`: the detector runs after each
 * of the few rounds, so that it has more chances to be wrong.
 */
export const NOISE_OF_AN_EARLY_FALL = 2.75;
/**
 * From round 8 on, a fall of disagreement makes failure mode 1 (sycophancy) suspected only if it is more than this
 * number of standard deviations. A standard deviation is that of the change in a panel whose disagreement varies only
 * by chance. The value was chosen for this program.
 */
export const NOISE_OF_A_FALL = 2.1;

/** Failure mode 2 (criticism for its own sake) is suspected if at least this share of the verdicts is BROKEN. */
export const BROKEN_SHARE = 0.8;

/**
 * Failure mode 2 (criticism for its own sake) is not suspected before this number of rounds. The value was chosen for
 * this program.
 */
export const ROUNDS_OF_BROKEN = 3;
/**
 * Failure mode 2 (criticism for its own sake) is suspected if the share `BROKEN_SHARE` is reached in the whole run, or
 * in this number of its last rounds. The value was chosen for this program.
 */
export const RECENT_BROKEN = 4;

/**
 * Failure mode 2 (criticism for its own sake): the fewest verdicts of which the share of BROKEN ones is computed. The
 * value was chosen for this program.
 */
export const VERDICTS_FOR_A_SHARE = 9;

/**
 * The fewest rounds for which the original method of rounds was made. In shorter runs, some failure modes are not
 * suspected, or only on stronger evidence.
 */
export const SMALLEST_BUDGET = 8;

/**
 * Failure mode 3 (drift) compares decisions of the last third of the rounds with those of the first
 * third. The value was chosen for this program.
 */
export const THIRD = 1 / 3;

/**
 * Failure mode 3 (drift) is suspected if no decision of the last third of the rounds leads back, from citation to
 * citation, to a decision of the first third. The suspicion needs at least this number of decisions in the last third
 * that cite other decisions, or many decisions as described at `LATE_DECISIONS`. The value was chosen for this program.
 */
export const LATE_CITING = 8;
/**
 * Failure mode 3 (drift) can also be suspected if fewer than `LATE_CITING` late decisions cite other decisions. There
 * must then be at least this number of decisions in the middle third of the rounds, and as many in the last third. In
 * the middle third, the share `CITING_HABIT` of the decisions must cite others. The value was chosen for this program.
 */
export const LATE_DECISIONS = 4;
/**
 * Failure mode 3 (drift): the least share of decisions in the middle third of the rounds that cite other decisions,
 * if a lack of citations in the last third is to raise suspicion. A panel below this share cites too rarely anyway.
 * The value was chosen for this program.
 */
export const CITING_HABIT = 0.9;

/**
 * Failure mode 4 (domination) is suspected if the roles lead too unequally: the entropy of the distribution of leads
 * over the roles is below this share of its maximum, which is reached if all roles lead equally often.
 */
export const LEAD_DOMINANCE = 0.6;
/** Failure mode 4 (domination) is suspected if one role led more than this share of the rounds. */
export const LEAD_MAJORITY = 0.5;

/**
 * Failure mode 5 (claim inflation) is suspected if there are more claims per round than this, and more than the share
 * `INFLATED_PENDING` of the claims waits for a check.
 */
export const INFLATED = 10;
/** Failure mode 5 (claim starvation) is suspected if there are fewer claims per round than this. */
export const STARVED = 2;
/**
 * Failure mode 5 (claim inflation) is only suspected if more than this share of the claims waits for a check by the
 * rules of `findPendingClaims`.
 */
export const INFLATED_PENDING = 0.6;

/**
 * Failure mode 5 (too many or too few claims) is suspected if the mean number of claims per round is suspicious in the
 * whole run, or in this number of its last rounds. The value was chosen for this program.
 */
export const ROUNDS_FOR_A_RATE = 4;

/**
 * Failure mode 6 (checks that test nothing) is only suspected if the examined rounds have at least this number of
 * verdicts, including invalid ones. The value was chosen for this program.
 */
export const VERDICTS_FOR_A_BYPASS = 4;

/**
 * Failure mode 8 (rounds beyond the plan that do not help) is suspected if a run has gone beyond its planned rounds
 * with no more than this number of satisfied stopping signals.
 */
export const FEW_SIGNALS = 3;
