/**
 * Turns SQLite's syncing off where tests write to a disk, in workers (as a setup file) and in the programs
 * that they start. A process that is killed loses nothing by it, only a machine that loses its power does;
 * a test of that calls `withSyncing`.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { UNSYNCED_VARIABLE } from './place.ts';

const PRELOAD = fileURLToPath(new URL('unsynced.cjs', import.meta.url));
const preload = createRequire(import.meta.url)(PRELOAD) as { setSyncing(isOn: boolean): void };

preload.setSyncing(process.env[UNSYNCED_VARIABLE] === undefined);

/** Databases that are opened until the end of the current test sync as they do for people. */
export function withSyncing(): void {
  preload.setSyncing(true);
  onTestFinished(() => preload.setSyncing(process.env[UNSYNCED_VARIABLE] === undefined));
}

/** Returns what the environment of a started program needs for the same; empty where files are in memory. */
export function unsyncedEnv(): Readonly<Record<string, string>> {
  if (process.env[UNSYNCED_VARIABLE] === undefined) return {};
  return { NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}` };
}
