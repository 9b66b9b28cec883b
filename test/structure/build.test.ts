/**
 * How many files of the build the usual commands load: each costs the start a fifth of a millisecond. A count
 * that rises says that `bench/build/chunks.ts` lacks a module which a command now reaches by `import()`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
