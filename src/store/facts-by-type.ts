/** Reads facts of given types from all runs by the index of types, without reading whole logs. */
import type Database from 'better-sqlite3';
import { NewerRunError } from '../kernel/errors.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { type FactRow, readFact } from './rows.ts';

/**
 * Returns the facts of the given types, grouped by the id of their run and in the order of each
 * log. The runs are in the order of their creation. Runs that a newer version of this program
 * recorded are left out if this version cannot read them.
 *
 * @param having only runs that have a fact of this type are read
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
  const unknown = new Set<string>();
  for (const row of rows) {
    const { run_id: run } = row as FactRow;
    try {
      const fact = readFact(reader, row);
      const known = runs.get(run);
      if (known === undefined) runs.set(run, [fact]);
      else known.push(fact);
    } catch (error) {
      if (!(error instanceof NewerRunError)) throw error;
      unknown.add(run);
    }
  }
  for (const run of unknown) runs.delete(run);
  return runs;
}

/** The tokens and cost of all calls of one seat with one model in one run. */
export interface SeatUsage {
  readonly run: string;
  /** The seat's id; null for calls without a seat. */
  readonly seat: string | null;
  readonly model: string;
  readonly tokens: number;
  /** US dollars of the calls whose price is known. */
  readonly usd: number;
  /** The number of calls that used tokens and have no known price; `usd` leaves them out. */
  readonly unpriced: number;
}

/**
 * Returns the usage of each seat in the runs that have a fact of the type `having`. Calls that the
 * stand-in answered are left out, and so are calls that a fork copied from another run.
 */
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

/** A claim (a statement that may turn out false) with its latest status in its run. */
export interface ClaimStanding {
  readonly run: string;
  readonly id: string;
  /** The seat that raised the claim. */
  readonly raisedBy: string;
  readonly text: string;
  /** The latest status, such as `open` or `upheld`. */
  readonly status: string;
  /**
   * How the latest status was reached, such as by a command or by quotations. Null if the status
   * never changed, and in runs that were made under the first edition of the rules, which did not
   * record it.
   */
  readonly basis: string | null;
}

/** Returns all claims of those runs in whose log a fact of the type `having` occurs. */
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
