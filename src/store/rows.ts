/** Parses rows of the tables. A row that cannot be what was written is reported as damaged. */

import type Database from 'better-sqlite3';
import * as z from 'zod';
import { withPlausibleFigures } from '../kernel/usage.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { DamagedRow } from './database.ts';

/** A row of the table `fact`. */
export interface FactRow {
  /** The id of the run. */
  run_id: string;
  /** The position in the run's log. */
  seq: number;
  /** The time in ISO 8601. */
  at: string;
  /** The content as JSON. */
  body: string;
}

/**
 * Parses a fact and upgrades it to the current version.
 * @throws DamagedRow if the row cannot be read
 */
export function readFact(reader: FactReader, row: unknown): AnyFact {
  const { run_id, seq, at, body } = row as FactRow;
  return readSound(`fact ${seq} of run ${run_id}`, () =>
    withPlausibleFigures(reader.read({ ...(JSON.parse(body) as object), run: run_id, seq, at })),
  );
}

/**
 * Parses the first fact of a run, which names the edition that the run follows. Returns undefined if the
 * run has no fact.
 * @throws DamagedRow if the row cannot be read
 * @throws NewerRunError if this version of the program does not know that edition
 */
export function readFirstFact(
  db: Database.Database,
  reader: FactReader,
  run: string,
): AnyFact | undefined {
  const row = db
    .prepare('SELECT run_id, seq, at, body FROM fact WHERE run_id = ? AND seq = 1')
    .get(run);
  return row === undefined ? undefined : readFact(reader, row);
}

/**
 * Parses a column of JSON. `what` names the column in the error.
 * @throws DamagedRow if the text is no JSON
 */
export function readJson(what: string, text: string): unknown {
  return readSound(what, () => JSON.parse(text) as unknown);
}

function readSound<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new DamagedRow(`${what} cannot be read`, { cause: error });
    throw error;
  }
}
