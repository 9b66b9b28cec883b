/**
 * `contender.ts FILE`: tries to own runs at the same moment as other processes. Each line of its input names
 * a run, a folder in which the processes wait for each other, and their number. For each line it prints
 * whether it owns the run, and whether it tried before any other process was done.
 */
import { createInterface } from 'node:readline';
import { RunOwnedError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { countMarks, leaveMark, waitForProcesses } from './meeting.ts';

interface Told {
  readonly run: string;
  readonly folder: string;
  readonly processes: number;
}

const store = Store.open(process.argv[2] ?? '', FACTS);
console.log(JSON.stringify('ready'));
for await (const line of createInterface({ input: process.stdin })) {
  const { run, folder, processes } = JSON.parse(line) as Told;
  // Let all processes try at the same moment: if they were told one after the other, the first
  // would be done before the last is told.
  waitForProcesses(folder, processes);
  const isEarly = countMarks(folder, 'done') === 0;
  const won = canOwn(run);
  leaveMark(folder, 'done');
  console.log(JSON.stringify({ won, isEarly }));
}

function canOwn(run: string): boolean {
  try {
    store.own(run);
    return true;
  } catch (error) {
    if (!(error instanceof RunOwnedError)) throw error;
    return false;
  }
}
