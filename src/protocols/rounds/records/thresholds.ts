/**
 * The thresholds of signals and failure modes. Each value is that of the original method, unless
 * its comment says that the value is our own. Our own values set how much data a detector needs
 * before it suspects a failure mode. They were chosen by the simulated runs in test/records.
 */

/**
 * The number of latest rounds that signals 1 and 2 and failure mode 6 examine. docs/rounds.md lists
 * all signals and failure modes.
 */
export const WINDOW = 3;

/** Signal 1: the fewest rounds in which a peak of status changes can be recognized. */
export const ROUNDS_FOR_A_PEAK = 6;

/**
 * Signal 2 and failure mode 1: disagreement counts as level if its slope, in verdicts per round, is
 * not below this value.
 */
export const FLAT = -0.2;

/**
 * Signal 3 requires that roles lead about equally often: the entropy of their numbers of led rounds must be
 * at least this share of the largest possible entropy.
 */
export const LEAD_BALANCE = 0.7;

/** Signal 6: the share of undecided claims must be below this value. */
export const PENDING_LIMIT = 0.3;

/**
 * Signal 6, since edition 2 of the rules, is only computed if valid decisions rest on at least this
 * number of claims. The value is our own: without it, 3 of 400 simulated panels that only agreed
 * with themselves satisfied the signal.
 */
export const RELIED_FOR_A_SHARE = 4;

/**
 * Since edition 2 of the rules, the alarm (a warning that disagreement falls) is raised if the slope of
 * disagreement, in verdicts per round, is at or below this value twice in a row. The slope is measured over
 * three rounds. The value is our own: it raises the alarm for 14 % of healthy simulated panels and for 40 %
 * of sycophantic panels. The bound of signal 2 would raise it for 60 % and 80 %.
 */
export const ALARMING = -1;

/**
 * Failure mode 1 (sycophancy) is suspected after this number of rounds in a row in which all
 * verdicts are ROBUST.
 */
export const ROBUST_RUN = 3;

/**
 * The fewest rounds in which a fall of disagreement can be recognized, for failure mode 1 ("Early
 * consensus"). The source of the failure modes gives no value; this one was chosen here.
 */
export const ROUNDS_FOR_A_FALL = 5;
/**
 * Before round 8, failure mode 1 is suspected if disagreement falls by more than this number of standard
 * deviations of a random fall. The value is our own. It is higher than `NOISE_OF_A_FALL`, because the same
 * few rounds are tested again after each round.
 */
export const NOISE_OF_AN_EARLY_FALL = 2.75;
/**
 * Failure mode 1 is suspected from round 8 on if disagreement falls by more than this number of
 * standard deviations of a random fall. The value is our own.
 */
export const NOISE_OF_A_FALL = 2.1;

/** Failure mode 2: the share of BROKEN verdicts at or above which criticism is suspicious. */
export const BROKEN_SHARE = 0.8;

/**
 * Failure mode 2: the share of BROKEN verdicts in the whole run is tested after at least this
 * number of rounds. The value is our own.
 */
export const ROUNDS_OF_BROKEN = 3;
/**
 * Failure mode 2: the share of BROKEN verdicts is also tested in this number of the latest rounds.
 * The value is our own.
 */
export const RECENT_BROKEN = 4;

/** Failure mode 2: the fewest verdicts for which a share is computed. The value is our own. */
export const VERDICTS_FOR_A_SHARE = 9;

/**
 * The fewest rounds for which the original method can be used. Shorter runs have no late rounds that
 * could be compared with early rounds.
 */
export const SMALLEST_BUDGET = 8;

/**
 * Failure mode 3 (drift) compares decisions of the last third of the rounds with those of the first
 * third. The value is our own.
 */
export const THIRD = 1 / 3;

/**
 * Failure mode 3 (drift) is suspected if no decision of the last third of the rounds builds on one of
 * the first third: it neither cites one, nor leads to one from citation to citation. This needs at
 * least this number of late decisions that cite others. The value is our own.
 */
export const LATE_CITING = 8;
/**
 * Failure mode 3 (drift) can also be suspected if fewer than `LATE_CITING` late decisions cite others.
 * This needs at least this number of decisions both in the middle third and in the last third of the
 * rounds, and the share `CITING_HABIT` of those in the middle third has to cite others. The value is our
 * own.
 */
export const LATE_DECISIONS = 4;
/**
 * Failure mode 3 (drift): the share of decisions in the middle third of the rounds that must cite
 * other decisions. If few of them do, it means nothing that late decisions cite none. The value is
 * our own.
 */
export const CITING_HABIT = 0.9;

/**
 * Failure mode 4 (domination) is suspected if the entropy of the roles' numbers of led rounds is below this
 * share of the largest possible entropy.
 */
export const LEAD_DOMINANCE = 0.6;
/** Failure mode 4 (domination) is suspected if one role led more than this share of the rounds. */
export const LEAD_MAJORITY = 0.5;

/**
 * Failure mode 5 (claim inflation): more claims per round than this are too many, if most are
 * undecided.
 */
export const INFLATED = 10;
/** Failure mode 5 (claim starvation) is suspected if there are fewer claims per round than this. */
export const STARVED = 2;
/**
 * Failure mode 5 (claim inflation) is only suspected if more than this share of the claims is
 * undecided.
 */
export const INFLATED_PENDING = 0.6;

/**
 * Failure mode 5: the number of last rounds over which claims are counted, so that a single round
 * raises no suspicion. The value is our own.
 */
export const ROUNDS_FOR_A_RATE = 4;

/**
 * Failure mode 6 is only suspected if the examined rounds have at least this number of verdicts. The value
 * is our own.
 */
export const VERDICTS_FOR_A_BYPASS = 4;

/**
 * Failure mode 8 is suspected if a run has gone beyond its planned rounds with no more than this number of
 * satisfied signals.
 */
export const FEW_SIGNALS = 3;
