/** Remembers what `dist` was made of, so that a build that would write the same again can be left out. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a build depends on. npm describes in the last file what is installed. */
const SOURCES = [
  'src/**',
  'bench/build/**',
  'package.json',
  'tsconfig*.json',
  'node_modules/.package-lock.json',
];

/** Returns a digest of Node's version and of everything that a build below `root` reads. */
export function digestSources(root: string): string {
  return digestOf(root, SOURCES);
}

/** Returns whether `dist` holds, byte for byte, what was made of sources with this digest. */
export function isMade(root: string, sources: string): boolean {
  try {
    return readFileSync(placeOf(root), 'utf8') === noteOf(root, sources);
  } catch {
    // Without a readable note of an earlier build, the program has to be built.
    return false;
  }
}

/** Notes in a file that `dist`, as it is now, was made of sources with this digest, so that `isMade` finds it. */
export function noteMade(root: string, sources: string): void {
  mkdirSync(dirname(placeOf(root)), { recursive: true });
  writeFileSync(placeOf(root), noteOf(root, sources));
}

/** Outside of `dist`, which is published. Checkouts may share their packages. */
function placeOf(root: string): string {
  const name = createHash('sha256').update(root).digest('hex');
  return join(root, 'node_modules/.cache/built', name);
}

function noteOf(root: string, sources: string): string {
  return `${sources} ${digestOf(root, ['dist/**'])}\n`;
}

function digestOf(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync([...patterns], { cwd: root }).sort()) {
    const path = join(root, file);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
