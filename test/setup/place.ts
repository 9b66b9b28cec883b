/**
 * Vitest's global setup: chooses the folder that all tests write to, once per run, and removes it when all
 * tests are over, since workers may be killed before they clean up. Without a TMPDIR the folder is in memory,
 * if there is room and programs can be started from it; otherwise it is on disk, and databases are not synced.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable that is set if databases of tests need no syncing. */
export const UNSYNCED_VARIABLE = 'DELIBERATE_TESTS_UNSYNCED';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** Bytes that must be free there: twice what all tests were seen to hold at once. */
const MIN_FREE = 1.5 * 2 ** 30;

/**
 * Makes the folder that all tests write to, in memory or on disk, and sets TMPDIR to the folder. If it is not
 * one that this function made in memory, also sets `UNSYNCED_VARIABLE`. Returns a function that removes the
 * folder.
 */
export default function setUp(): () => void {
  const folder = process.env.TMPDIR ? undefined : makeInMemory();
  const used = folder ?? mkdtempSync(join(tmpdir(), 'tests-'));
  // Some tests open files as a user without privileges, who has to enter this folder.
  chmodSync(used, 0o755);
  process.env.TMPDIR = used;
  if (folder === undefined) process.env[UNSYNCED_VARIABLE] = '1';
  return () => rmSync(used, { recursive: true, force: true });
}

/** Returns a new folder in memory, or undefined if there is no room or nothing in it can be executed. */
function makeInMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MIN_FREE) return undefined;
    folder = mkdtempSync(join(MEMORY, 'tests-'));
    const script = join(folder, 'can-execute');
    writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    if (spawnSync(script).status === 0) return folder;
  } catch {
    // This machine has no folder in memory, or the folder cannot be written to.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}
