/**
 * Whether a deliberation should stop: the six signals, what may have gone wrong, and what follows. The
 * original method counts signals only and would have stopped a sycophantic run at four of six; here a
 * count is not trusted while what it counts is in doubt.
 */
import { plural } from '../../../text/numbers.ts';
import { type FailureMode, type FailureModeId, failureModes } from './failure-modes.ts';
import { disagreementTrend } from './six-signals/disagreement.ts';
import type { SignalName } from './six-signals/measurement.ts';
import { type Signal, sixSignals } from './six-signals.ts';
import { ALARMING, FLAT, WINDOW } from './thresholds.ts';
import { recordsAtTheEnd, type Tally, tallies } from './timeline.ts';
import { EPSILON, figure } from './trend.ts';
import type { Records } from './types.ts';

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

/** Satisfied signals from which on stopping is an option at all. */
const ENOUGH = 4;

/** Under these suspicions signals look satisfied that are not: agreement, an easier question, empty tests. */
const SPOILS_THE_COUNT: readonly FailureModeId[] = ['FM-1', 'FM-3', 'FM-6'];

/**
 * Under the second rules these two must be among them: a count without steady disagreement is agreement,
 * and one without claims that were dealt with is talk. The other four a panel has for being patient.
 */
const INDISPENSABLE: readonly SignalName[] = ['disagreement-slope', 'pending-claims'];

/**
 * Computes the stopping signals after the last finished round. Entries of an unfinished round and
 * of the synthesis are ignored, so that the result is the same later.
 */
export function readSignals(all: Records): Signals {
  const records = recordsAtTheEnd(all);
  const rounds = tallies(records);
  const signals = sixSignals(records);
  const satisfied = signals.filter(({ state }) => state === 'satisfied').length;
  const modes = failureModes({ records, rounds, satisfied });
  return {
    rounds: rounds.length,
    signals,
    satisfied,
    ...recommend(satisfied, modes, records.rules === 2 ? missingFrom(signals) : []),
    alarm: alarmOf(rounds, records),
    failureModes: modes,
  };
}

function missingFrom(signals: readonly Signal[]): Signal[] {
  return signals.filter(({ name, state }) => INDISPENSABLE.includes(name) && state !== 'satisfied');
}

/** `missing`: signals without which no count is enough. */
function recommend(
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
 * Raised when the slope has been falling at two readings running. Falling means steeper than what
 * signal 2 calls flat: a slope just below zero is what half of all healthy runs show. Under the second
 * rules the slope of the last rounds raises it, which signal 2 leaves out; it has to be steep.
 */
function alarmOf(rounds: readonly Tally[], { rules }: Records): string | null {
  const [limit, length] = rules === 2 ? [ALARMING + EPSILON, WINDOW] : [FLAT - EPSILON, Infinity];
  const trend = (held: readonly Tally[]) => disagreementTrend(held.slice(-length));
  const now = trend(rounds);
  const before = trend(rounds.slice(0, -1));
  if (now === undefined || before === undefined) return null;
  if (now >= limit || before >= limit) return null;
  const over = rules === 2 ? `the last ${WINDOW} rounds` : plural(rounds.length, 'round');
  return `disagreement has been falling for 2 rounds: ${figure(before)}, then ${figure(now)} a round over ${over}`;
}
