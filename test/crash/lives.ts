/** Processes that are killed in the middle of a run, and the expectations that hold after each of them. */

import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import type { TestServer } from '../servers/index.ts';
import { startScript } from '../store/child.ts';

/** A protocol for the runs whose processes the crash tests kill. */
export type ProtocolName = 'board' | 'rounds';
/** The number of rounds of a run: in the long form of the tests, also rounds that depend on earlier ones. */
const ROUNDS = LONG ? 3 : 1;

/**
 * Begins the run in the database `file`, or resumes it if it has begun, in a process of `attempt.ts`. The
 * process kills itself at a place in the journal such as `note:3:before` (`kill.at`), or is killed after
 * `kill.afterMs` milliseconds. Resolves to whether the process was killed. Expects the exit code 0 otherwise.
 */
export async function runOnce(
  file: string,
  name: ProtocolName,
  server: TestServer,
  kill: { at?: string; afterMs?: number } = {},
): Promise<boolean> {
  const args = [file, name, `${ROUNDS}`, ...(kill.at === undefined ? [] : [kill.at])];
  const env = { ...process.env, OLLAMA_HOST: server.url };
  const child = startScript(import.meta.url, './attempt.ts', args, { env });
  if (kill.afterMs !== undefined) {
    await Promise.race([sleep(kill.afterMs), child.ended]);
    await child.kill();
  }
  const { code, signal } = await child.ended;
  if (signal === null) expect(code).toBe(0);
  return signal === 'SIGKILL';
}

/** Returns the facts of the only run in a database; an empty list if it has no run. */
export function factsIn(file: string): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    const [run] = store.list();
    return filterKnownFacts(run === undefined ? [] : store.facts(run.id));
  } finally {
    store.close();
  }
}

/** Expects that a database is not damaged and that its run has a sound log. */
export function expectSoundDatabase(file: string): void {
  const db = new Database(file);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
  expectSoundLog(factsIn(file));
}

/** Expects that facts are numbered without gaps and that no recorded call was made again. */
export function expectSoundLog(facts: readonly Fact[]): void {
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  const completed = listFactsOfType(facts, 'call.completed').map(({ step }) => step);
  expect(new Set(completed).size, 'a recorded call was asked again').toBe(completed.length);
}

/**
 * Returns the attempts of calls whose start is on record, and neither an answer nor a failure. A provider may
 * have billed these calls.
 */
export function findUnfinishedCalls(facts: readonly Fact[]): string[] {
  const ended = new Set(
    [...listFactsOfType(facts, 'call.completed'), ...listFactsOfType(facts, 'call.failed')].map(
      ({ attempt }) => attempt,
    ),
  );
  return listFactsOfType(facts, 'step.started')
    .filter(({ kind, attempt }) => kind === 'call' && !ended.has(attempt))
    .map(({ attempt }) => attempt);
}
