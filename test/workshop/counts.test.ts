/** Numbers of tests, from what runners really print, and from what only looks like it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sanitise } from '../../src/text/sanitise.ts';
import { readCounts } from '../../src/workshop/running/counts/counts.ts';
import type { Counts } from '../../src/workshop/running/counts/summary.ts';
import { countSteps } from '../steps/steps.ts';

const ROOT = join(import.meta.dirname, '../..');

const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8');

/** What the command prints in a folder with these files, as a check keeps it. */
function print(files: Readonly<Record<string, string>>, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-counts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const { VITEST: _v, NODE_OPTIONS: _o, NODE_TEST_CONTEXT: _c, ...env } = process.env;
  const command = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...args];
  return sanitise(spawnSync('sh', command, { cwd: folder, encoding: 'utf8', env }).stdout);
}

const MIXED: Counts = { passed: 2, failed: 2, skipped: 2, failing: ['fails', 'deep # fails'] };

const NODE_FILE = `
import { describe, it, test } from 'node:test';
import assert from 'node:assert';
console.log('ℹ tests 9\\nℹ suites 0\\nℹ pass 9\\nℹ fail 0\\nℹ cancelled 0\\nℹ skipped 0\\nℹ todo 0\\nℹ duration_ms 1');
console.log('tests 9\\nsuites 0\\npass 9\\nfail 0\\ncancelled 0\\nskipped 0\\ntodo 0\\nduration_ms 1');
test('passes', () => {});
test('fails', () => {
  assert.fail('ℹ tests 9\\nℹ suites 0\\nℹ pass 9\\nℹ fail 0\\nℹ cancelled 0\\nℹ skipped 0\\nℹ todo 0\\nℹ duration_ms 1');
});
test('skipped', { skip: true }, () => {});
test('later', { todo: true }, () => {});
describe('suite', () => {
  it('deep passes', () => {});
  it('deep # fails', () => assert.equal(1, 2));
});
`;

describe('node --test', () => {
  test.each(['spec', 'tap', 'junit'])('by its reporter %s', (reporter) => {
    const said = print({ 'a.test.mjs': NODE_FILE }, ['--test', `--test-reporter=${reporter}`]);
    const failing = reporter === 'junit' ? ['test fails', 'suite deep # fails'] : MIXED.failing;
    const empty = reporter === 'junit' ? {} : { empty: [] };
    expect(readCounts(said)).toEqual({ ...MIXED, failing, ...empty });
  });

  test.each(['spec', 'tap'])(
    'names a file that ends before a test of it ran, by %s',
    (reporter) => {
      const said = print(
        {
          'a.test.mjs': `import { test } from 'node:test'; import './a.mjs'; test('one', () => {}); test('two', () => {});`,
          'a.mjs': 'process.exit(0);',
        },
        ['--test', `--test-reporter=${reporter}`],
      );
      // The runner counts the file itself.
      const counts = readCounts(said);
      expect(counts?.passed).toBe(1);
      expect(counts?.empty).toEqual([expect.stringMatching(/a\.test\.mjs$/)]);
    },
  );
});

describe('vitest', () => {
  const FILE = `
import { describe, expect, it, test } from 'vitest';
console.log(' Test Files  9 passed (9)\\n      Tests  9 passed (9)');
test('passes', () => {});
test('fails', () => { throw new Error(' Test Files  9 passed (9)\\n      Tests  9 passed (9)'); });
test.skip('skipped', () => {});
test.todo('later');
describe('suite', () => {
  it('deep passes', () => {});
  it('deep fails', () => expect(1).toBe(2));
});
`;
  const VITEST = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color'];

  test('by its default reporter', () => {
    const said = print({ 'a.test.mjs': FILE, 'package.json': '{}' }, VITEST);
    expect(readCounts(said)).toEqual({
      ...MIXED,
      failing: ['a.test.mjs > fails', 'a.test.mjs > suite > deep fails'],
    });
  });

  test('as TAP', () => {
    const quiet = FILE.replace(/console\.log.*\n/, '');
    const files = { 'a.test.mjs': quiet, 'package.json': '{}' };
    expect(readCounts(print(files, [...VITEST, '--reporter=tap-flat']))).toEqual({
      ...MIXED,
      failing: ['a.test.mjs > fails', 'a.test.mjs > suite > deep fails'],
    });
  });

  test('without a test', () => {
    const said = print({ 'a.test.mjs': 'process.exitCode = 0;', 'package.json': '{}' }, VITEST);
    expect(readCounts(said)).toMatchObject({ passed: 0, skipped: 0 });
  });
});

test.each<[string, Counts]>([
  [
    'mocha.txt',
    { passed: 1, failed: 2, skipped: 2, failing: ['outer also fails', 'outer inner fails here'] },
  ],
  ['jest.txt', { passed: 1, failed: 1, skipped: 2, failing: ['outer › fails here'] }],
  ...(['pytest.txt', 'pytest-quiet.txt'] as const).map((name): [string, Counts] => [
    name,
    {
      ...{ passed: 2, failed: 3, skipped: 2 },
      failing: ['test_a.py::test_fails', 'test_a.py::test_p[x y]', 'test_a.py::test_err'],
    },
  ]),
  ['cargo.txt', { passed: 2, failed: 1, skipped: 1, failing: ['tests::fails'] }],
  ['go.txt', { passed: 4, failed: 2, skipped: 1, failing: ['TestTable', 'TestTable/two'] }],
  ['tap.txt', { passed: 2, failed: 1, skipped: 1, failing: ['writes # the file'] }],
])('%s, as it was recorded', (name, counts) => {
  expect(readCounts(recorded(name))).toEqual(counts);
});

describe('there are no numbers', () => {
  test.each([
    ['in nothing', ''],
    ['in a program that says that it went well', 'All tests passed!\n12 passed\nOK (9 tests)\n'],
    ['in a linter', 'Checked 12 files in 3s. No fixes applied.\n'],
    ['in a part of a summary', 'ℹ tests 3\nℹ pass 3\nℹ fail 0\n'],
    [
      'in sums that are wrong',
      'ℹ tests 3\nℹ suites 0\nℹ pass 9\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1\n',
    ],
    ['in sums of vitest that are wrong', ' Test Files  1 passed (1)\n      Tests  9 passed (3)\n'],
    ['in TAP with a line too many', recorded('tap.txt').replace('1..4', '1..4\nok 1 - smuggled')],
    ['in TAP with a line too few', recorded('tap.txt').replace('1..4', '1..5')],
    ['in lines of TAP without its version', 'ok 1 - a\n1..1\n'],
    [
      'in cargo where a section says two numbers',
      recorded('cargo.txt').replace('running 3 tests', 'running 4 tests'),
    ],
    ['in go without -v', 'ok  \texample.com/add\t0.002s\n'],
  ])('%s', (_what, text) => {
    expect(readCounts(text)).toBeUndefined();
  });
});

describe('what a test prints', () => {
  const real = recorded('pytest.txt');

  test('before the summary does not count, whichever runner it looks like', () => {
    for (const name of ['mocha.txt', 'jest.txt', 'go.txt', 'tap.txt', 'cargo.txt'])
      expect(readCounts(`${recorded(name)}\n${real}`)).toEqual(readCounts(real));
  });

  test('in JUnit, inside of a text, is none of its elements', () => {
    const suite = (inner: string): string =>
      `<?xml version="1.0"?>\n<testsuites tests="99">\n<testsuite><testcase classname="a" name="b"><system-out>${inner}</system-out></testcase></testsuite>\n</testsuites>\n`;
    for (const inner of [
      '<![CDATA[<testcase name="x"/><testcase name="y"/>]]>',
      '<!-- <testcase name="x"/> -->',
      '&lt;testcase name="x"/&gt;',
    ])
      expect(readCounts(suite(inner))).toEqual({ passed: 1, failed: 0, skipped: 0, failing: [] });
  });
});

test.each([
  ['TAP', (n: number) => `${'not ok 1 - '.repeat(n)}\n${'ok 1 - a\n'.repeat(2 * n)}`],
  ['JUnit', (n: number) => `${' '.repeat(8 * n)}\n${'<testcase '.repeat(n)}</testsuite>`],
  [
    'mocha',
    (n: number) => `${'  1) a\n'.repeat(2 * n)}\n  1 passing (1ms)\n${'  1) a\n'.repeat(n)}`,
  ],
])('an output is read in steps in proportion to its length: %s', async (_runner, make) => {
  const file = new URL('../../src/workshop/running/counts/counts.ts', import.meta.url);
  const calls = [[make(5_000)], [make(50_000)]];
  const [small = 0, large = 0] = await countSteps(file, 'readCounts', calls);
  expect(large).toBeLessThan(small * 12);
});
