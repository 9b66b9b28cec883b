/** For every file named on standard input: opens it, begins a run in it, and says how that went. */
import { createInterface } from 'node:readline';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { Store } from '../../src/store/store.ts';

export interface Opened {
  readonly run?: string;
  readonly code?: string;
  readonly message?: string;
  readonly next?: string | undefined;
}

function open(file: string): Opened {
  let store: Store | undefined;
  try {
    store = Store.open(file);
    const journal = store.create('test');
    journal.note([{ v: 1, type: 'run.ended', status: 'done' }]);
    journal.release();
    return { run: journal.run };
  } catch (error) {
    if (error instanceof DeliberateError)
      return { code: error.code, message: error.message, next: error.next };
    return { code: 'defect', message: String(error) };
  } finally {
    store?.close();
  }
}

console.log(JSON.stringify('ready'));
for await (const file of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(open(file)));
