/**
 * How many files of the build the usual commands load: each costs the start a fifth of a millisecond. A count
 * that rises says that `bench/build/chunks.ts` lacks a module which a command now reaches by `import()`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../store/folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Prints the number of files of the build that were loaded, when the process exits. */
const COUNT = `
import { registerHooks } from 'node:module';
let files = 0;
registerHooks({ load: (url, context, next) => {
  if (url.includes('/dist/')) files += 1;
  return next(url, context);
} });
process.on('exit', () => process.stderr.write('\\nfiles ' + files));
`;

const BOARD = '--plain --quiet --no-vote --rehearse --rehearse-speed 1000 Why?';

it.each([
  ['--help', 4],
  ['list', 8],
  [`board ${BOARD}`, 44],
])('%s loads at most %i files', (command, most) => {
  const home = temporaryFolder();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(COUNT)}`],
      ...[join(ROOT, 'bin/deliberate.js'), ...command.split(' ')],
    ],
    { encoding: 'utf8', cwd: home, env: { HOME: home, PATH: process.env.PATH } },
  );
  expect(status, stderr).toBe(0);
  const files = Number(/files (\d+)$/.exec(stderr)?.[1]);
  expect(files).toBeGreaterThan(1);
  expect(files).toBeLessThanOrEqual(most);
});

/** Prints the files of the build that an import loads, as JSON. */
const LIST = `
import { registerHooks } from 'node:module';
const files = [];
registerHooks({ load: (url, context, next) => {
  if (url.includes('/dist/')) files.push(url);
  return next(url, context);
} });
await import(process.argv[1]);
console.log(JSON.stringify(files));
`;

function bytesLoadedBy(file: string): number {
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', LIST, pathToFileURL(file).href],
    { encoding: 'utf8' },
  );
  const files: string[] = JSON.parse(stdout);
  return files.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
}

it('the first frame of a screen is drawn before Ink is loaded', () => {
  const fileOf = (name: string): string => {
    const [file = name] = globSync(join(ROOT, `dist/cli/chunk-${name}-*.js`));
    return file;
  };
  const first = bytesLoadedBy(fileOf('first'));
  expect(first).toBeGreaterThan(10_000);
  expect(first).toBeLessThan(250_000);
  expect(bytesLoadedBy(fileOf('ink'))).toBeGreaterThan(500_000);
});
