/**
 * Shared helpers of end-to-end tests: temporary folders and databases, and servers that end with the test.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunView, viewOf } from '../../src/kernel/view.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { TestServer } from '../servers/index.ts';

/** Creates a temporary folder that is removed after the test. */
export function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deliberate-e2e-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Returns the path of a database that does not exist yet, in a new temporary folder. */
export function makeDatabasePath(): string {
  return join(makeFolder(), 'runs.db');
}

/**
 * Returns a function that copies a database to a new path and returns the path. `fill` fills the database
 * once, at the first call.
 */
export function makeDatabaseCopier(fill: (db: string) => Promise<unknown>): () => Promise<string> {
  let bytes: Promise<Uint8Array> | undefined;
  return async () => {
    bytes ??= (async () => {
      const made = makeDatabasePath();
      await fill(made);
      // Open and close the database once more, so that SQLite moves its write-ahead log into the copied file.
      Store.open(made, FACTS).close();
      return readFileSync(made);
    })();
    const copy = makeDatabasePath();
    writeFileSync(copy, await bytes);
    return copy;
  };
}

/** Registers a server to be closed after the current test, and returns the server at once. */
export function closeAfterTest<T extends TestServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

/** Returns the view of the latest run in a database. */
export function viewIn(file: string): RunView {
  const store = Store.open(file, FACTS);
  try {
    return viewOf(store.facts(store.find('latest')));
  } finally {
    store.close();
  }
}
