/**
 * The six signals that a deliberation has run its course, each a measurement against a threshold.
 * Thresholds are those of the method. Two of its readings are put right here: rounds without any
 * disagreement count as zeros instead of being skipped, and a run that never disagreed is not "flat".
 */
import { leadCounts, stressedRoles, stressTarget } from './panel.ts';
import { whyOutOfReach } from './reach.ts';
import { FLAT, LEAD_BALANCE, PENDING_LIMIT, ROUNDS_FOR_A_PEAK, WINDOW } from './thresholds.ts';
import { type Tally, tallies } from './timeline.ts';
import { count, EPSILON, entropy, figure, percent, rollingSums, slopeOf, sum } from './trend.ts';
import type { DriftCheck, Records } from './types.ts';

const SIGNAL_NAMES = [
  'refutation-rate',
  'disagreement-slope',
  'lead-coverage',
  'stress-tests',
  'drift-checks',
  'pending-claims',
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

export interface Signal {
  /** 1 to 6. */
  readonly id: number;
  readonly name: SignalName;
  /** `uninformative`: there is nothing to measure yet, or this budget can never show it. */
  readonly state: 'satisfied' | 'unsatisfied' | 'uninformative';
  readonly value: number | null;
  readonly threshold: number | null;
  readonly why: string;
}

type Reading = Omit<Signal, 'id' | 'name'>;

/** `records` must hold claims at their latest status: see `latest` and `recordsAt`. */
export function sixSignals(records: Records): Signal[] {
  const rounds = tallies(records);
  const readings = [
    refutationRate(records, rounds),
    disagreementSlope(rounds),
    leadCoverage(records),
    stressTests(records),
    driftChecks(records),
    pendingClaims(records),
  ];
  return SIGNAL_NAMES.map((name, index): Signal => {
    const reading = readings[index] ?? nothing('not measured');
    const beyond =
      reading.state === 'satisfied' || name === 'pending-claims'
        ? undefined
        : whyOutOfReach(name, records);
    return {
      id: index + 1,
      name,
      ...reading,
      ...(beyond === undefined ? {} : { state: 'uninformative', why: beyond }),
    };
  });
}

function refutationRate(records: Records, rounds: readonly Tally[]): Reading {
  if (rounds.length < ROUNDS_FOR_A_PEAK)
    return nothing(`${count(rounds.length, 'round')} so far: it takes ${ROUNDS_FOR_A_PEAK}`);
  if (records.verifications.every((one) => one.claim_status_changes === undefined))
    return nothing('no verification records what it changed');
  const sums = rollingSums(
    rounds.map(({ moves }) => moves),
    WINDOW,
  );
  const peak = Math.max(...sums);
  const [before = 0, last = 0] = sums.slice(-2);
  const value = last / WINDOW;
  const threshold = peak / WINDOW / 2;
  if (peak === 0) return { state: 'unsatisfied', value, threshold, why: 'no claim has ever moved' };
  const state = last * 2 < peak && before * 2 < peak ? 'satisfied' : 'unsatisfied';
  const means = `${figure(before / WINDOW)} and ${figure(value)} claims moved a round in the last two windows`;
  const why = `${means}, ${state === 'satisfied' ? 'both' : 'not both'} below half of the peak of ${figure(peak / WINDOW)}`;
  return { state, value, threshold, why };
}

/** The slope of disagreement over the whole run, undefined before there are three rounds. */
export function disagreementTrend(rounds: readonly Tally[]): number | undefined {
  if (rounds.length < WINDOW) return undefined;
  return slopeOf(rounds.map(({ disagreements }) => disagreements));
}

function disagreementSlope(rounds: readonly Tally[]): Reading {
  const overall = disagreementTrend(rounds);
  const recent = disagreementTrend(rounds.slice(-WINDOW));
  if (overall === undefined || recent === undefined)
    return nothing(`${count(rounds.length, 'round')} so far: it takes ${WINDOW}`);
  if (sum(rounds.map(({ verdicts }) => verdicts)) === 0) return nothing('no verdict yet');
  const value = Math.min(overall, recent);
  if (sum(rounds.map(({ disagreements }) => disagreements)) === 0)
    return {
      state: 'unsatisfied',
      value,
      threshold: FLAT,
      why: `no verdict in ${count(rounds.length, 'round')} was BROKEN or UNCLEAR: nobody disagrees`,
    };
  const state = value >= FLAT - EPSILON ? 'satisfied' : 'unsatisfied';
  const why = `disagreement changes by ${figure(overall)} a round over the run and by ${figure(recent)} over the last ${WINDOW}; flat is ${FLAT} or more`;
  return { state, value, threshold: FLAT, why };
}

function leadCoverage(records: Records): Reading {
  const { roles } = records;
  const counts = leadCounts(records, false);
  const threshold = LEAD_BALANCE * Math.log2(roles.length);
  if (sum(counts) === 0)
    return nothing('nobody of the panel has led a round without a stress test');
  const value = entropy(counts);
  const missing = roles.filter((_, index) => counts[index] === 0);
  if (missing.length > 0) {
    const why = `${listed(missing)} ${missing.length === 1 ? 'has' : 'have'} not led a round without a stress test`;
    return { state: 'unsatisfied', value, threshold, why };
  }
  const state = value >= threshold - EPSILON ? 'satisfied' : 'unsatisfied';
  const why = `every role has led; lead entropy ${figure(value)} of ${figure(Math.log2(roles.length))} bits, at least ${figure(threshold)} wanted`;
  return { state, value, threshold, why };
}

function stressTests(records: Records): Reading {
  const threshold = stressTarget(records);
  const done = stressedRoles(records);
  const state = done.length >= threshold ? 'satisfied' : 'unsatisfied';
  const why = `${count(done.length, 'role')} of ${records.roles.length} stress-tested${done.length > 0 ? ` (${listed(done)})` : ''}, ${threshold} wanted`;
  return { state, value: done.length, threshold, why };
}

function driftChecks({ drifts, decisions }: Records): Reading {
  const final = drifts.at(-1);
  if (final === undefined) return nothing('no drift check yet');
  const missed = drifts.filter(({ verdict }) => verdict !== 'PASS');
  const value = (drifts.length - missed.length) / drifts.length;
  const said = (state: Reading['state'], why: string) => ({ state, value, threshold: 1, why });
  if (missed.length === 0)
    return said('satisfied', `all ${count(drifts.length, 'drift check')} PASS`);
  if (final.verdict !== 'PASS')
    return said(
      'unsatisfied',
      `the latest drift check, in round ${final.round}, is ${final.verdict}`,
    );
  const open = missed.find(
    (drift) => !decisions.some((one) => addresses(one, drift) && one.round <= final.round),
  );
  if (open === undefined)
    return said(
      'satisfied',
      `PASS in round ${final.round}, and decisions address what failed before`,
    );
  return said(
    'unsatisfied',
    `PASS in round ${final.round}, but no decision addresses the ${open.verdict} of round ${open.round}`,
  );
}

/**
 * Nothing in a decision's citations can name a drift check, so a decision addresses one if it speaks of
 * drift, or refers to the page that holds the check, and was made no earlier.
 */
function addresses(decision: Records['decisions'][number], drift: DriftCheck): boolean {
  if (decision.round < drift.round) return false;
  const page = new RegExp(`^rounds/round_0*${drift.round}\\.md(?:#|$)`);
  return (
    /\bdrift/i.test(decision.text) || decision.round_artifact_refs.some((ref) => page.test(ref))
  );
}

function pendingClaims({ claims }: Records): Reading {
  if (claims.length === 0) return nothing('no claim yet');
  const value = pendingShare(claims);
  const state = value < PENDING_LIMIT - EPSILON ? 'satisfied' : 'unsatisfied';
  const pending = claims.filter(({ status }) => status === 'pending').length;
  const why = `${pending} of ${count(claims.length, 'claim')} pending (${percent(value)}), below ${percent(PENDING_LIMIT)} wanted`;
  return { state, value, threshold: PENDING_LIMIT, why };
}

/** Of all claims, those that nobody has tested; 0 where there are none. */
export function pendingShare(claims: Records['claims']): number {
  const pending = claims.filter(({ status }) => status === 'pending').length;
  return claims.length === 0 ? 0 : pending / claims.length;
}

function nothing(why: string): Reading {
  return { state: 'uninformative', value: null, threshold: null, why };
}

function listed(words: readonly string[]): string {
  return words.join(', ');
}
