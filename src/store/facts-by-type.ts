/** Facts of some kinds from all runs, read by the index of types: no run's whole log is read for them. */
import type Database from 'better-sqlite3';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { readFact } from './rows.ts';

/**
 * Returns the facts of these types by their run, in the order of each run's log. Only runs that have a fact of
 * the type `having` are read; runs in the order of their ids, which is that of their creation.
 *
 * @throws DamagedRow
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

/** What the calls of one seat took in one run. */
export interface SeatUsage {
  readonly run: string;
  readonly seat: string | null;
  readonly model: string;
  readonly tokens: number;
  /** US dollars of the calls that have a price. */
  readonly usd: number;
  /** Calls without a known price: they are in no dollars. */
  readonly unpriced: number;
}

/** Returns what seats took in the runs that have a fact of the type `having`; rehearsals are left out. */
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

/** A claim as it stands at its run's end. */
export interface ClaimStanding {
  readonly run: string;
  readonly id: string;
  /** The seat that raised it. */
  readonly raisedBy: string;
  readonly text: string;
  readonly status: string;
  /** How the status was come by; null where it was not moved, or in runs held under the first rules. */
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
