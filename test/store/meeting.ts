/**
 * Lets processes of a test wait for each other by files in a folder, so that all go on at the same moment.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns how many processes have called `leaveMark` with this folder and kind. `kind` is any word, such as
 * `here` or `done`.
 */
export function countMarks(folder: string, kind: string): number {
  return readdirSync(folder).filter((name) => name.endsWith(`.${kind}`)).length;
}

/** Writes an empty file `PID.KIND` into the folder, so that other processes can count who has come this far. */
export function leaveMark(folder: string, kind: string): void {
  writeFileSync(join(folder, `${process.pid}.${kind}`), '');
}

/**
 * Returns as soon as `processes` processes have called this function for the folder. The function waits
 * without sleeping, so that all of the processes go on at the same moment.
 */
export function waitForProcesses(folder: string, processes: number): void {
  leaveMark(folder, 'here');
  while (countMarks(folder, 'here') < processes);
}
