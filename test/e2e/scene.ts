/** What the end-to-end tests share: a database of their own, a server that goes away with the test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunView, viewOf } from '../../src/kernel/view.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { TestServer } from '../servers/index.ts';

export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deliberate-e2e-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export function database(): string {
  return join(folder(), 'runs.db');
}

/**
 * A database that `fill` fills: called once in a file of tests, when it is first wanted. Whoever asks
 * gets a copy of their own.
 */
export function filled(fill: (db: string) => Promise<unknown>): () => Promise<string> {
  let bytes: Promise<Uint8Array> | undefined;
  return async () => {
    bytes ??= (async () => {
      const made = database();
      await fill(made);
      // Opened and closed once more, so that all of it stands in the one file.
      Store.open(made, FACTS).close();
      return readFileSync(made);
    })();
    const copy = database();
    writeFileSync(copy, await bytes);
    return copy;
  };
}

export function serve<T extends TestServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

/** The latest run in a database, as its log says. */
export function viewIn(file: string): RunView {
  const store = Store.open(file, FACTS);
  try {
    return viewOf(store.facts(store.find('latest')));
  } finally {
    store.close();
  }
}
