/** Reads facts of given types from all runs by the index of types, without reading whole logs. */
import type Database from 'better-sqlite3';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { readFact } from './rows.ts';

/**
 * Returns the facts of these types by run, in the order of each run's log. Runs are in the order of their
 * creation.
 *
 * @param having only runs with a fact of this type are read
 * @throws DamagedRow if a fact cannot be read
 */
export function readFactsByType(
  db: Database.Database,
  reader: FactReader,
  types: readonly string[],
  having: string,
): Map<string, AnyFact[]> {
  const rows = db
    .prepare(
      `SELECT run_id, seq, at, body FROM typed_fact
      WHERE type IN (${types.map(() => '?').join(', ')})
        AND run_id IN (SELECT run_id FROM typed_fact WHERE type = ?)
      ORDER BY run_id, seq`,
    )
    .all(...types, having);
  const runs = new Map<string, AnyFact[]>();
  for (const row of rows) {
    const fact = readFact(reader, row);
    const known = runs.get(fact.run);
    if (known === undefined) runs.set(fact.run, [fact]);
    else known.push(fact);
  }
  return runs;
}

/** What the calls of one seat with one model used in one run. */
export interface SeatUsage {
  readonly run: string;
  readonly seat: string | null;
  readonly model: string;
  readonly tokens: number;
  /** US dollars of the calls whose price is known. */
  readonly usd: number;
  /** Calls without a known price, which `usd` leaves out. */
  readonly unpriced: number;
}

/** Returns the usage of seats in runs that have a fact of the type `having`, without rehearsals. */
export function readSeatUsage(db: Database.Database, having: string): SeatUsage[] {
  return db
    .prepare<[string], SeatUsage>(
      `SELECT run_id AS run, seat, provider || '/' || model AS model,
        sum(tokens_in + tokens_out) AS tokens, coalesce(sum(cost_usd), 0) AS usd,
        sum(cost_usd IS NULL AND tokens_in + tokens_out > 0) AS unpriced
      FROM calls
      WHERE NOT inherited AND rehearsal IS NOT 1
        AND run_id IN (SELECT run_id FROM typed_fact WHERE type = ?)
      GROUP BY run_id, seat, provider, model`,
    )
    .all(having);
}

/** A claim with its latest status in its run. */
export interface ClaimStanding {
  readonly run: string;
  readonly id: string;
  /** The seat that raised it. */
  readonly raisedBy: string;
  readonly text: string;
  readonly status: string;
  /**
   * What the latest status rests on; null if the claim was never moved, and in runs under the first rules.
   */
  readonly basis: string | null;
}

/** Returns the claims of the runs that have a fact of the type `having`. */
export function readClaims(db: Database.Database, having: string): ClaimStanding[] {
  return db
    .prepare<[string], ClaimStanding>(
      `SELECT run_id AS run, id, raised_by AS raisedBy, text, status,
        (SELECT basis FROM claim_move WHERE claim_move.run_id = claims.run_id
          AND claim_move.claim = claims.id ORDER BY seq DESC LIMIT 1) AS basis
      FROM claims WHERE run_id IN (SELECT run_id FROM typed_fact WHERE type = ?)`,
    )
    .all(having);
}
