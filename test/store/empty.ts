/** A database with nothing in it, as the program makes one: made once, as that takes longer than opening it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';

let made: Uint8Array | undefined;

/** Opens a new one, which stands in the file from then on. */
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
