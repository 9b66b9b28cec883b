/**
 * `opener.ts [UID]`: for each file that is named on a line of its input, opens the database, creates a run
 * in it, and prints the run or the error. With UID, it does so as that user.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';

/** What `opener.ts` prints for a file: either the id of the run that it created, or the error. */
export interface OpenResult {
  readonly run?: string;
  readonly code?: string;
  readonly message?: string;
  readonly next?: string | undefined;
}

function openStore(file: string): OpenResult {
  let store: Store | undefined;
  try {
    store = Store.open(file, FACTS);
    const journal = store.create('test');
    journal.note([fact('run.ended', { status: 'done' })]);
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

// Load all modules before the process becomes the other user, who may not be able to read the project's folder.
const [uid] = process.argv.slice(2);
if (uid !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-test-'));
  Store.open(join(folder, 'loads-the-library.db'), FACTS).close();
  rmSync(folder, { recursive: true });
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
console.log(JSON.stringify('ready'));
for await (const file of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(openStore(file)));
