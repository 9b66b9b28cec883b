/** From a row of the `fact` table to the fact, brought up to this version's vocabulary. */
import { type Fact, parseFact } from '../kernel/facts.ts';

export interface FactRow {
  run_id: string;
  seq: number;
  at: string;
  body: string;
}

export function readFact(row: unknown): Fact {
  const { run_id, seq, at, body } = row as FactRow;
  return parseFact({ ...(JSON.parse(body) as object), run: run_id, seq, at });
}
