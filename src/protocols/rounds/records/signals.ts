/**
 * Decides whether a deliberation should stop: by six signals and the failure modes. The original
 * method only counts signals and would have stopped a sycophantic run at four of six. Here, a
 * suspected failure mode casts doubt on the count.
 */
import { formatCount } from '../../../text/numbers.ts';
import { detectFailureModes, type FailureMode, type FailureModeId } from './failure-modes.ts';
import type { Records } from './records.ts';
import { computeDisagreementSlope } from './six-signals/disagreement.ts';
import type { SignalName } from './six-signals/measurement.ts';
import { computeSixSignals, type Signal } from './six-signals.ts';
import { ALARMING, FLAT, WINDOW } from './thresholds.ts';
import { countRounds, cutToFinishedRounds, type Tally } from './timeline.ts';
import { EPSILON, formatFigure } from './trend.ts';

type Recommendation = 'stop' | 'wrap-up' | 'consider' | 'continue';

/** The six stopping signals, and what they recommend. */
export interface Signals {
  /** The number of finished rounds. */
  readonly rounds: number;
  readonly signals: readonly Signal[];
  /** The number of satisfied signals. */
  readonly satisfied: number;
  readonly recommendation: Recommendation;
  readonly why: string;
  /** A warning that disagreement is falling, whatever the signals say; null if there is none. */
  readonly alarm: string | null;
  readonly failureModes: readonly FailureMode[];
}

/** The number of satisfied signals from which stopping is recommended at all. */
const ENOUGH = 4;

/**
 * Failure modes that make signals look satisfied: agreement, an easier question, or empty tests.
 */
const SPOILS_THE_COUNT: readonly FailureModeId[] = ['FM-1', 'FM-3', 'FM-6'];

/**
 * Signals that must be satisfied since edition 2 of the rules. Without steady disagreement the
 * panel may only be agreeing with itself, and without checked claims nothing was tested. Every
 * panel satisfies the other four signals after enough rounds.
 */
const INDISPENSABLE: readonly SignalName[] = ['disagreement-slope', 'pending-claims'];

/**
 * Computes the stopping signals after the last finished round. Entries of an unfinished round and
 * of the synthesis are ignored.
 */
export function readSignals(all: Records): Signals {
  const records = cutToFinishedRounds(all);
  const rounds = countRounds(records);
  const signals = computeSixSignals(records);
  const satisfied = signals.filter(({ state }) => state === 'satisfied').length;
  const modes = detectFailureModes({ records, rounds, satisfied });
  return {
    rounds: rounds.length,
    signals,
    satisfied,
    ...makeRecommendation(satisfied, modes, records.rules === 2 ? missingFrom(signals) : []),
    alarm: alarmOf(rounds, records),
    failureModes: modes,
  };
}

function missingFrom(signals: readonly Signal[]): Signal[] {
  return signals.filter(({ name, state }) => INDISPENSABLE.includes(name) && state !== 'satisfied');
}

/**
 * Returns the recommendation. `missing` lists the unsatisfied signals without which no number of
 * satisfied signals suffices.
 */
function makeRecommendation(
  satisfied: number,
  modes: readonly FailureMode[],
  missing: readonly Signal[],
): Pick<Signals, 'recommendation' | 'why'> {
  const counted = `${satisfied} of 6 signals are satisfied`;
  const doubts = modes.filter(
    ({ id, state }) => state === 'suspected' && SPOILS_THE_COUNT.includes(id),
  );
  if (satisfied >= ENOUGH && doubts.length > 0) {
    const named = doubts.map(({ id, name, why }) => `${id} ${name} (${why})`).join(', ');
    return { recommendation: 'continue', why: `${counted}, but first clear ${named}` };
  }
  if (satisfied >= ENOUGH && missing.length > 0) {
    const named = missing.map(({ id, name, why }) => `${id} ${name} (${why})`).join(' and ');
    return { recommendation: 'continue', why: `${counted}, but stopping also takes ${named}` };
  }
  if (satisfied === 6) return { recommendation: 'stop', why: counted };
  if (satisfied === 5)
    return { recommendation: 'wrap-up', why: `${counted}: one round to wrap up` };
  if (satisfied === ENOUGH) return { recommendation: 'consider', why: counted };
  return { recommendation: 'continue', why: counted };
}

/**
 * Returns a warning if disagreement falls after the last round and fell after the round before it, otherwise null. In
 * edition 1 of the rules, the slope over all rounds must be below what signal 2 calls level, because half of all
 * healthy runs have a slope just below zero. Since edition 2, the slope over the last three rounds must be at most
 * `ALARMING`.
 */
function alarmOf(rounds: readonly Tally[], { rules }: Records): string | null {
  const [limit, length] = rules === 2 ? [ALARMING + EPSILON, WINDOW] : [FLAT - EPSILON, Infinity];
  const computeTrend = (held: readonly Tally[]) => computeDisagreementSlope(held.slice(-length));
  const now = computeTrend(rounds);
  const before = computeTrend(rounds.slice(0, -1));
  if (now === undefined || before === undefined) return null;
  if (now >= limit || before >= limit) return null;
  const over = rules === 2 ? `the last ${WINDOW} rounds` : formatCount(rounds.length, 'round');
  return `disagreement has been falling for 2 rounds: ${formatFigure(before)}, then ${formatFigure(now)} a round over ${over}`;
}
