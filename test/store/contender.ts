/**
 * `contender.ts FILE`: reaches for the run that it is told, at the moment that it is told, and says
 * whether it got it and from when to when it tried.
 */
import { createInterface } from 'node:readline';
import { RunOwnedError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';

const store = Store.open(process.argv[2] ?? '', FACTS);
const now = (): number => performance.timeOrigin + performance.now();
console.log(JSON.stringify('ready'));
for await (const line of createInterface({ input: process.stdin })) {
  const { run, at } = JSON.parse(line) as { run: string; at: number };
  // All at one moment: told one after the other, the first would be done before the last has heard.
  while (now() < at);
  const from = now();
  const won = reach(run);
  console.log(JSON.stringify({ won, from, to: now() }));
}

function reach(run: string): boolean {
  try {
    store.own(run);
    return true;
  } catch (error) {
    if (!(error instanceof RunOwnedError)) throw error;
    return false;
  }
}
