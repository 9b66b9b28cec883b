/** Where processes of a test wait for each other, so that all go on at one moment: files in a folder. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many processes have left a mark of that kind. */
export function countMarks(folder: string, kind: string): number {
  return readdirSync(folder).filter((name) => name.endsWith(`.${kind}`)).length;
}

/** Leaves the mark of this process. */
export function leaveMark(folder: string, kind: string): void {
  writeFileSync(join(folder, `${process.pid}.${kind}`), '');
}

/** Returns when so many processes have come to the folder. It does not sleep meanwhile: nobody is to come late. */
export function waitForProcesses(folder: string, processes: number): void {
  leaveMark(folder, 'here');
  while (countMarks(folder, 'here') < processes);
}
