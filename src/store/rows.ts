/** Parses rows of the tables. A row that cannot be what was written is reported as damaged. */

import * as z from 'zod';
import { withPlausibleFigures } from '../kernel/usage.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { DamagedRow } from './damaged.ts';

/** A row of the table `fact`. */
export interface FactRow {
  run_id: string;
  seq: number;
  at: string;
  body: string;
}

/** Parses a fact and upgrades it to the current version. @throws DamagedRow */
export function readFact(reader: FactReader, row: unknown): AnyFact {
  const { run_id, seq, at, body } = row as FactRow;
  return readSound(`fact ${seq} of run ${run_id}`, () =>
    withPlausibleFigures(reader.read({ ...(JSON.parse(body) as object), run: run_id, seq, at })),
  );
}

/** Parses a column of JSON. @throws DamagedRow whose message contains `what` */
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
