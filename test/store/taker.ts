/**
 * `taker.ts FILE`: at each line of its input, waits for other processes in the named folder, takes runs from
 * the queue until the queue is empty, and prints what it took.
 */
import { createInterface } from 'node:readline';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { waitForProcesses } from './meeting.ts';

const store = Store.open(process.argv[2] ?? '', FACTS);
console.log(JSON.stringify('ready'));
for await (const line of createInterface({ input: process.stdin })) {
  const { folder, processes } = JSON.parse(line) as { folder: string; processes: number };
  waitForProcesses(folder, processes);
  const got: string[] = [];
  for (;;) {
    const taken = store.takeQueued();
    if (taken === undefined) break;
    got.push('leftAlone' in taken ? `left alone: ${taken.leftAlone}` : taken.run);
  }
  console.log(JSON.stringify(got));
}
