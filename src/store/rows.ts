/** From what the tables hold to what it stands for; what cannot be that any more is called damaged. */

import * as z from 'zod';
import { summable } from '../kernel/usage.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { DamagedRow } from './damaged.ts';

export interface FactRow {
  run_id: string;
  seq: number;
  at: string;
  body: string;
}

/** The fact of a row, brought up to this version's vocabulary. @throws DamagedRow */
export function readFact(reader: FactReader, row: unknown): AnyFact {
  const { run_id, seq, at, body } = row as FactRow;
  return readSound(`fact ${seq} of run ${run_id}`, () =>
    summable(reader.read({ ...(JSON.parse(body) as object), run: run_id, seq, at })),
  );
}

/** @throws DamagedRow, naming `what` it is. */
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
