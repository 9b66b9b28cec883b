/** Finds the record on a line, because evidence cites claims by line: `state/claims.jsonl#L3`. */
import { CLAIMS_FILE, DECISIONS_FILE, VERIFICATIONS_FILE } from '../layout.ts';
import type { Context } from './context.ts';

/**
 * Returns a function that finds the id of the claim, verification or decision on a line of its file. The function
 * returns undefined if the line has no readable record.
 */
export function makeRecordFinder({
  records,
  lineOf,
}: Context): (file: string, line: number) => string | undefined {
  const tables = new Map<string, ReadonlyMap<number, string>>();
  for (const [file, all] of [
    [CLAIMS_FILE, records.claims],
    [VERIFICATIONS_FILE, records.verifications],
    [DECISIONS_FILE, records.decisions],
  ] as const)
    tables.set(file, new Map(all.map((record) => [lineOf.get(record) ?? 0, record.id])));
  return (file, line) => tables.get(file)?.get(line);
}
