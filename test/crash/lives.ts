/** Lives of the program that are cut short, and what must hold after each of them. */

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

export type ProtocolName = 'board' | 'rounds';
/** Of a run in rounds; in the long form with all that comes later than the first. */
const ROUNDS = LONG ? 3 : 1;

/** One life of the program. Resolves to whether it was killed. */
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

export function factsIn(file: string): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    const [run] = store.list();
    return filterKnownFacts(run === undefined ? [] : store.facts(run.id));
  } finally {
    store.close();
  }
}

/** What must hold after every kill. */
export function expectSoundDatabase(file: string): void {
  const db = new Database(file);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
  expectSoundLog(factsIn(file));
}

/** Whole, and nothing that was recorded asked again. */
export function expectSoundLog(facts: readonly Fact[]): void {
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, at) => at + 1));
  const completed = listFactsOfType(facts, 'call.completed').map(({ step }) => step);
  expect(new Set(completed).size, 'a recorded call was asked again').toBe(completed.length);
}

/** Calls whose start is recorded and whose end is not: they may have been billed. */
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
