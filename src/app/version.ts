/** Reads the version of this program from its package. */
import { readFileSync } from 'node:fs';

/** Returns the program's version. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
