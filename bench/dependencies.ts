/** Prints the last line of `npm run check`: what is installed together with the program. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

interface Locked {
  readonly dev?: boolean;
  /** Whether the package is needed only for development and by optional dependencies. */
  readonly devOptional?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Optional packages for other machines are not installed. */
const installed = Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
  path !== '' && dev !== true && devOptional !== true && existsSync(join(ROOT, path))
    ? [join(ROOT, path)]
    : [],
);
const bytes = installed.reduce((sum, folder) => sum + sizeOf(folder), 0);
console.log(
  `${Object.keys(dependencies).length} dependencies, ${installed.length} packages in all, ${(bytes / 1e6).toFixed(0)} MB installed`,
);

/** Returns the bytes of a package's own files; packages within it are counted separately. */
function sizeOf(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') sum += sizeOf(path);
    else if (entry.isFile()) sum += statSync(path).size;
  }
  return sum;
}
