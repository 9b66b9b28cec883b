/**
 * Turns the syncing of SQLite off if tests write to a disk, in workers (as a setup file) and in the programs
 * that they start. Only a machine that loses its power can lose data by this, not a process that is killed.
 * Tests of such a loss call `withSyncing`.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { UNSYNCED_VARIABLE } from './place.ts';

const PRELOAD = fileURLToPath(new URL('unsynced.cjs', import.meta.url));
const preload = createRequire(import.meta.url)(PRELOAD) as { setSyncing(isOn: boolean): void };

preload.setSyncing(process.env[UNSYNCED_VARIABLE] === undefined);

/**
 * Turns syncing on for all databases that are opened before the current test ends, as it is on when people
 * use the program.
 */
export function withSyncing(): void {
  preload.setSyncing(true);
  onTestFinished(() => preload.setSyncing(process.env[UNSYNCED_VARIABLE] === undefined));
}

/**
 * Returns the variables with which a started program does not sync its databases; empty if the files are in
 * memory.
 */
export function unsyncedEnv(): Readonly<Record<string, string>> {
  if (process.env[UNSYNCED_VARIABLE] === undefined) return {};
  return { NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}` };
}
