/**
 * An empty database as the program makes one. It is made once and copied, which is faster than making
 * another.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';

let made: Uint8Array | undefined;

/** Writes an empty database to a file and opens it. The caller closes it. */
export function openEmptyStore(file: string): Store {
  made ??= bytesOf(file);
  writeFileSync(file, made, { mode: 0o600 });
  return Store.open(file, FACTS);
}

function bytesOf(file: string): Uint8Array {
  Store.open(file, FACTS).close();
  try {
    return readFileSync(file);
  } finally {
    rmSync(file);
  }
}
