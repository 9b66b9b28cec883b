/**
 * How many files of the build the usual commands load: each costs the start a fifth of a millisecond. A count
 * that rises says that `bench/build/chunks.ts` lacks a module which a command now reaches by `import()`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { digestSources, isMade, noteMade } from '../../bench/build/made.ts';
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
])('the command `%s` loads at most %s files of the build', (command, most) => {
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

it('the code that draws a screen’s first frame is loaded without Ink', () => {
  const fileOf = (name: string): string => {
    const [file = name] = globSync(join(ROOT, `dist/cli/chunk-${name}-????????.js`));
    return file;
  };
  const first = bytesLoadedBy(fileOf('first'));
  expect(first).toBeGreaterThan(10_000);
  expect(first).toBeLessThan(250_000);
  expect(bytesLoadedBy(fileOf('ink'))).toBeGreaterThan(500_000);
});

describe('a build', () => {
  const FILES = {
    'src/cli/main.ts': 'one',
    'package.json': '{}',
    'node_modules/.package-lock.json': '{}',
    'dist/cli/main.js': 'built',
    'dist/cli/chunk-a.js': 'built too',
  };
  const makeProject = (): string => {
    const root = temporaryFolder();
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  };

  it('is not repeated as long as sources, packages and the folder dist stay the same', () => {
    const root = makeProject();
    expect(isMade(root, digestSources(root))).toBe(false);
    noteMade(root, digestSources(root));
    expect(isMade(root, digestSources(root))).toBe(true);
    expect(globSync('dist/**', { cwd: root })).toHaveLength(4);
    expect(isMade(makeProject(), digestSources(root))).toBe(false);
  });

  it.each<[string, (root: string) => void]>([
    ['a source has changed', (root) => writeFileSync(join(root, 'src/cli/main.ts'), 'two')],
    ['a source is new', (root) => writeFileSync(join(root, 'src/new.ts'), '')],
    ['a source is gone', (root) => rmSync(join(root, 'src/cli/main.ts'))],
    ['a source has another name', (root) => renameSync(join(root, 'src/cli'), join(root, 'src/b'))],
    [
      'other packages are installed',
      (root) => writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"a":1}'),
    ],
    ['a file of dist is gone', (root) => rmSync(join(root, 'dist/cli/chunk-a.js'))],
    ['a file of dist has changed', (root) => writeFileSync(join(root, 'dist/cli/main.js'), 'x')],
    ['dist has one file more', (root) => writeFileSync(join(root, 'dist/cli/chunk-b.js'), '')],
    ['dist is gone', (root) => rmSync(join(root, 'dist'), { recursive: true })],
  ])('is made again if %s', (_why, change) => {
    const root = makeProject();
    noteMade(root, digestSources(root));
    change(root);
    expect(isMade(root, digestSources(root))).toBe(false);
  });
});
