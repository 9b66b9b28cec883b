/** What a golden journal keeps of a run in a database. */

import Database from 'better-sqlite3';
import { type Fact, parseFact } from '../every-fact.ts';
import type { GoldenStep } from './journal.ts';

/** Returns the finished steps in the order of their first facts, from a database file that holds one run. */
export function stepsIn(file: string): GoldenStep[] {
  const db = new Database(file, { readonly: true });
  const rows = db
    .prepare('SELECT key, hash, result, first_seq, last_seq FROM step ORDER BY first_seq')
    .all() as {
    key: string;
    hash: string;
    result: string;
    first_seq: number;
    last_seq: number;
  }[];
  db.close();
  return rows.map(({ key, hash, result, first_seq, last_seq }) => ({
    step: key,
    hash,
    result: JSON.parse(result) as unknown,
    first: first_seq,
    last: last_seq,
  }));
}

/**
 * Returns facts with fixed values for what differs between two recordings of a run: the run's id, the ids of attempts,
 * the times of facts, and the latencies of model calls. The durations of tools and checks stay, and so do the times of
 * facts that a person recorded after the run.
 *
 * @param run The id that the facts get. Facts of a team's run keep the id that they have, because a team's steps depend on it.
 */
export function normalizeFacts(
  facts: readonly Fact[],
  run = '01900000-0000-7000-8000-000000000000',
): Fact[] {
  const attempts = new Map<string, string>();
  const numberAttempt = (id: string): string => {
    if (!attempts.has(id)) attempts.set(id, `attempt-${attempts.size + 1}`);
    return attempts.get(id) ?? '';
  };
  return facts.map((fact) =>
    parseFact({
      ...fact,
      run,
      at: isSaidByPeople(fact)
        ? fact.at
        : new Date(Date.UTC(2026, 0, 1) + fact.seq * 1_000).toISOString(),
      // Each attempt at a step has a random id. Replace these ids by numbers, so that two runs can be compared.
      // Attempts at a team's task are numbers already.
      ...('attempt' in fact && typeof fact.attempt === 'string'
        ? { attempt: numberAttempt(fact.attempt) }
        : {}),
      ...('drafted_in' in fact && fact.drafted_in === fact.run ? { drafted_in: run } : {}),
      ...('latencyMs' in fact ? { latencyMs: 100, firstTokenMs: 10 } : {}),
    }),
  );
}

const SAID_BY_PEOPLE: ReadonlySet<string> = new Set([
  'decision.taken',
  'decision.reviewed',
  'prediction.resolved',
  'claim.observed',
]);

/**
 * Returns whether a person recorded the fact after the run. The day of such a fact matters, since it decides
 * which predictions and reviews were due.
 */
export function isSaidByPeople({ type }: Fact): boolean {
  return SAID_BY_PEOPLE.has(type);
}

/** Returns the values as JSON, one on each line. */
export const toJsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
