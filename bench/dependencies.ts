/** One line at the end of `npm run check`: what somebody who installs the program installs with it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

interface Locked {
  readonly dev?: boolean;
  /** Of development, and of who asks for it by its name. */
  readonly devOptional?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Optional packages for other machines are not there. */
const installed = Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
  path !== '' && dev !== true && devOptional !== true && existsSync(join(ROOT, path))
    ? [join(ROOT, path)]
    : [],
);
const bytes = installed.reduce((sum, folder) => sum + sizeOf(folder), 0);
console.log(
  `${Object.keys(dependencies).length} dependencies, ${installed.length} packages in all, ${(bytes / 1e6).toFixed(0)} MB installed`,
);

/** Bytes of a package's own files: packages within it are counted by themselves. */
function sizeOf(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') sum += sizeOf(path);
    else if (entry.isFile()) sum += statSync(path).size;
  }
  return sum;
}
