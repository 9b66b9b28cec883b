/**
 * The six signals that a deliberation is finished, each a measurement with a threshold. Thresholds
 * are those of the original method; `explainDifference` lists where this program differs.
 */
import { formatCount } from '../../../text/numbers.ts';
import type { DriftCheck, Records } from './records.ts';
import { countLeads, countStressTarget, findStressedRoles } from './records.ts';
import { measureDisagreementSlope } from './six-signals/disagreement.ts';
import {
  type Measurement,
  makeUninformative,
  SIGNAL_NAMES,
  type SignalName,
} from './six-signals/measurement.ts';
import { measurePendingClaims } from './six-signals/pending.ts';
import { explainOutOfReach } from './six-signals/reach.ts';
import { measureRefutationRate } from './six-signals/turning.ts';
import { judgeDrift } from './standing/conduct.ts';
import { LEAD_BALANCE } from './thresholds.ts';
import { countRounds } from './timeline.ts';
import { addUp, computeEntropy, EPSILON, formatFigure } from './trend.ts';

/** One of the six stopping signals. */
export interface Signal extends Measurement {
  /** The number of the signal, 1 to 6. */
  readonly id: number;
  readonly name: SignalName;
}

/**
 * Computes the six stopping signals.
 * @param records the records with every claim at its latest status; see `updateStatuses` and `cutToRound`
 */
export function computeSixSignals(records: Records): Signal[] {
  const rounds = countRounds(records);
  const readings = [
    measureRefutationRate(records, rounds),
    measureDisagreementSlope(records, rounds),
    leadCoverage(records),
    stressTests(records),
    driftChecks(records),
    measurePendingClaims(records),
  ];
  return SIGNAL_NAMES.map((name, index): Signal => {
    const reading = readings[index] ?? makeUninformative('not measured');
    const beyond =
      reading.state === 'satisfied' || name === 'pending-claims'
        ? undefined
        : explainOutOfReach(name, records);
    return {
      id: index + 1,
      name,
      ...reading,
      ...(beyond === undefined ? {} : { state: 'uninformative', why: beyond }),
    };
  });
}

function leadCoverage(records: Records): Measurement {
  const { roles } = records;
  const counts = countLeads(records, false);
  const threshold = LEAD_BALANCE * Math.log2(roles.length);
  if (addUp(counts) === 0)
    return makeUninformative('nobody of the panel has led a round without a stress test');
  const value = computeEntropy(counts);
  const missing = roles.filter((_, index) => counts[index] === 0);
  if (missing.length > 0) {
    const why = `${joinWords(missing)} ${missing.length === 1 ? 'has' : 'have'} not led a round without a stress test`;
    return { state: 'unsatisfied', value, threshold, why };
  }
  const state = value >= threshold - EPSILON ? 'satisfied' : 'unsatisfied';
  const why = `every role has led; lead entropy ${formatFigure(value)} of ${formatFigure(Math.log2(roles.length))} bits, at least ${formatFigure(threshold)} wanted`;
  return { state, value, threshold, why };
}

function stressTests(records: Records): Measurement {
  const threshold = countStressTarget(records);
  const done = findStressedRoles(records);
  const state = done.length >= threshold ? 'satisfied' : 'unsatisfied';
  const why = `${formatCount(done.length, 'role')} of ${records.roles.length} stress-tested${done.length > 0 ? ` (${joinWords(done)})` : ''}, ${threshold} wanted`;
  return { state, value: done.length, threshold, why };
}

function driftChecks(records: Records): Measurement {
  const { decisions } = records;
  const drifts = records.drifts.map((drift) => ({ ...drift, verdict: judgeDrift(drift, records) }));
  const final = drifts.at(-1);
  if (final === undefined) return makeUninformative('no drift check yet');
  const missed = drifts.filter(({ verdict }) => verdict !== 'PASS');
  const value = (drifts.length - missed.length) / drifts.length;
  const makeMeasurement = (state: Measurement['state'], why: string) => ({
    state,
    value,
    threshold: 1,
    why,
  });
  if (missed.length === 0)
    return makeMeasurement('satisfied', `all ${formatCount(drifts.length, 'drift check')} PASS`);
  if (final.verdict !== 'PASS')
    return makeMeasurement(
      'unsatisfied',
      `the latest drift check, in round ${final.round}, is ${final.verdict}`,
    );
  const open = missed.find(
    (drift) =>
      !decisions.some((decision) => isAboutDrift(decision, drift) && decision.round <= final.round),
  );
  if (open === undefined)
    return makeMeasurement(
      'satisfied',
      `PASS in round ${final.round}, and decisions address what failed before`,
    );
  return makeMeasurement(
    'unsatisfied',
    `PASS in round ${final.round}, but no decision addresses the ${open.verdict} of round ${open.round}`,
  );
}

/**
 * Returns whether a decision addresses a drift check: it mentions drift or cites the check's page,
 * and was not made earlier.
 */
function isAboutDrift(decision: Records['decisions'][number], drift: DriftCheck): boolean {
  if (decision.round < drift.round) return false;
  const page = new RegExp(`^rounds/round_0*${drift.round}\\.md(?:#|$)`);
  return (
    /\bdrift/i.test(decision.text) || decision.round_artifact_refs.some((ref) => page.test(ref))
  );
}

function joinWords(words: readonly string[]): string {
  return words.join(', ');
}
