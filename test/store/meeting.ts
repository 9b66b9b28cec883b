/**
 * Lets processes of a test wait for each other by files in a folder, so that all go on at the same moment.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns how many processes have left a mark of a kind in a folder. */
export function countMarks(folder: string, kind: string): number {
  return readdirSync(folder).filter((name) => name.endsWith(`.${kind}`)).length;
}

/** Leaves the mark of this process in a folder. */
export function leaveMark(folder: string, kind: string): void {
  writeFileSync(join(folder, `${process.pid}.${kind}`), '');
}

/**
 * Returns when `processes` processes have called this function for the folder. It waits without sleeping, so
 * that all of them go on at the same moment.
 */
export function waitForProcesses(folder: string, processes: number): void {
  leaveMark(folder, 'here');
  while (countMarks(folder, 'here') < processes);
}
