/** Reads the data of a track record from all stored runs. */
import {
  countingPredictions,
  type DecisionsView,
  decisionsOf,
  outcomeOf,
} from '../../decisions/fold.ts';
import type { TrackedClaim, TrackedPrediction, TrackedRun } from '../../evaluation/track/runs.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { getModelFamily } from '../../protocols/common/voting/lineage.ts';
import type { ClaimStanding, SeatUsage } from '../../store/facts-by-type.ts';
import type { Store } from '../../store/store.ts';

const RESOLVED = 'prediction.resolved';

/** The types of facts that a track record is made of. */
const TYPES = [
  'run.started',
  'predictions.drafted',
  'forecasts.given',
  'panel.forecast',
  'decision.taken',
  RESOLVED,
  'claim.observed',
] as const;

/**
 * Returns the runs with predictions that came true or failed, oldest first. Left out are
 * predictions without a forecast of the panel, predictions of the built-in stand-in, predictions that
 * a fork copied from its parent, and predictions of a synthesis that a later synthesis has replaced.
 *
 * @param since an ISO 8601 time; predictions that were answered earlier are left out
 */
export function readTrackedRuns(store: Store, since = ''): TrackedRun[] {
  const claims = groupByRun(store.claimsOfRunsWith(RESOLVED));
  const usage = groupByRun(store.seatUsageOfRunsWith(RESOLVED));
  return [...store.factsByType(TYPES, RESOLVED)].flatMap(([id, facts]) =>
    trackedRun(id, facts, { claims: claims.get(id) ?? [], usage: usage.get(id) ?? [] }, since),
  );
}

/** The claims of a run and what its seats used, which are not read from its facts here. */
interface RunWork {
  readonly claims: readonly ClaimStanding[];
  readonly usage: readonly SeatUsage[];
}

/**
 * Returns one run with its predictions that came true or failed, as a list with one entry; an empty
 * list if there is no such prediction. `readTrackedRuns` says which predictions are left out.
 *
 * @param facts the run's facts; those of other types than `TYPES` are ignored
 * @param since an ISO 8601 time; predictions that were answered earlier are left out
 */
export function trackedRun(
  id: string,
  facts: readonly AnyFact[],
  { claims, usage }: RunWork,
  since = '',
): TrackedRun[] {
  const view = decisionsOf(facts);
  const predictions = trackedPredictions(view, since);
  if (predictions.length === 0) return [];
  const { protocol, seats } = startOf(facts);
  return [
    {
      id,
      protocol,
      predictions: predictions.map((prediction) => withRoles(prediction, seats)),
      claims: claims.map((claim) => toTrackedClaim(claim, seats, view)),
      usage: usage.map((entry) => ({
        ...entry,
        lineage: getModelFamily(entry.model),
        role: seats.get(entry.seat ?? '')?.role ?? '',
      })),
    },
  ];
}

interface SeatOfRun {
  readonly role: string;
  readonly model: string;
}

function startOf(facts: readonly AnyFact[]): {
  readonly protocol: string;
  readonly seats: ReadonlyMap<string, SeatOfRun>;
} {
  for (const any of facts) {
    const fact = KERNEL.own(any);
    if (fact?.type !== 'run.started') continue;
    const seats = fact.seats.map(
      ({ id, role, model }) => [id, { role: role ?? id, model }] as const,
    );
    return { protocol: fact.protocol, seats: new Map(seats) };
  }
  return { protocol: '', seats: new Map() };
}

/**
 * Returns a run's answered predictions with their forecasts. `roles` holds seat ids, which `withRoles`
 * replaces.
 */
function trackedPredictions(view: DecisionsView, since: string): TrackedPrediction[] {
  return countingPredictions(view).flatMap((prediction) => {
    const outcome = outcomeOf(prediction, view);
    const { id, panel, rehearsal, parent, forecasts } = prediction;
    if (rehearsal || parent !== undefined || panel === undefined) return [];
    if (outcome.state !== 'yes' && outcome.state !== 'no') return [];
    if (outcome.told.at < since) return [];
    return [
      {
        id,
        panel: panel.percent / 100,
        happened: outcome.state === 'yes',
        forecasts: forecasts.map(({ model, lineage, seats, percent }) => ({
          model,
          lineage,
          roles: seats,
          probability: percent / 100,
        })),
      },
    ];
  });
}

function withRoles(
  prediction: TrackedPrediction,
  seats: ReadonlyMap<string, SeatOfRun>,
): TrackedPrediction {
  return {
    ...prediction,
    forecasts: prediction.forecasts.map((forecast) => ({
      ...forecast,
      roles: forecast.roles.map((seat) => seats.get(seat)?.role ?? seat),
    })),
  };
}

const SHOWN: ReadonlyMap<string, 'confirmed' | 'refuted'> = new Map([
  ['tested_confirmed', 'confirmed'],
  ['tested_refuted', 'refuted'],
]);

/**
 * Returns a claim and whether it was confirmed or refuted by a run, by a reading, or by what a person saw
 * later.
 */
function toTrackedClaim(
  { id, raisedBy, text, status, basis }: ClaimStanding,
  seats: ReadonlyMap<string, SeatOfRun>,
  { observations }: DecisionsView,
): TrackedClaim {
  const seen = observations.findLast(({ claim }) => claim === id)?.outcome;
  const isShown = basis === 'read' || basis === 'executed';
  const shown = isShown ? SHOWN.get(status) : undefined;
  const seat = seats.get(raisedBy) ?? [...seats.values()].find(({ role }) => role === raisedBy);
  const model = seat?.model ?? '';
  return {
    text,
    model,
    lineage: getModelFamily(model),
    role: seat?.role ?? raisedBy,
    outcome: seen === undefined ? shown : seen === 'held' ? 'confirmed' : 'refuted',
  };
}

function groupByRun<Row extends ClaimStanding | SeatUsage>(
  rows: readonly Row[],
): ReadonlyMap<string, Row[]> {
  const runs = new Map<string, Row[]>();
  for (const row of rows) {
    const known = runs.get(row.run);
    if (known === undefined) runs.set(row.run, [row]);
    else known.push(row);
  }
  return runs;
}
