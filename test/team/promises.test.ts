/** Each promise of docs/team.md names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const toPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const page = readFileSync(toPath('docs/team.md'), 'utf8');
const [, table = ''] = /^\| promise \| test \|\n\| --- \| --- \|\n((?:\|.*\n)+)/m.exec(page) ?? [];
const PROMISES = table
  .trimEnd()
  .split('\n')
  .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

it('docs/team.md lists more than 30 promises', () => {
  expect(PROMISES.length).toBeGreaterThan(30);
});

it.each(PROMISES)(
  'the tests exist that docs/team.md names for the promise “%s”',
  (_promise, tests = '') => {
    const files = [...tests.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect([file, existsSync(toPath(file))]).toEqual([file, true]);
    const texts = files.map((file) => readFileSync(toPath(file), 'utf8')).join('\n');
    // Each quotation in a promise's row must be a part of a test's name. If a test has a list of cases, its name
    // follows the list, sometimes on a line of its own.
    const names = [...texts.matchAll(/^\s*(?:(?:(?:it|test|describe)\b|\]\)\().*|(['"]).*\1,)$/gm)]
      .map(([row]) => row)
      .join('\n');
    const quoted = [...tests.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
    expect(quoted).not.toEqual([]);
    for (const name of quoted) expect(names).toContain(name);
  },
);
