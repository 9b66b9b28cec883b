/** Tests counts of tests, with real output of test runners and with output that only looks like it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sanitiseText } from '../../src/text/sanitise.ts';
import type { Counts } from '../../src/workshop/running/counts/summary.ts';
import { countSteps } from '../steps/steps.ts';
import { readKnownCounts as readCounts } from './known-counts.ts';

const ROOT = join(import.meta.dirname, '../..');

const readRecorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8');

/** Returns the output of a command in a folder with these files, as a check records it. */
function getOutput(files: Readonly<Record<string, string>>, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-counts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const { VITEST: _v, NODE_OPTIONS: _o, NODE_TEST_CONTEXT: _c, ...env } = process.env;
  const command = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, ...args];
  return sanitiseText(spawnSync('sh', command, { cwd: folder, encoding: 'utf8', env }).stdout);
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

describe('the summary of node --test', () => {
  test.each(['spec', 'tap', 'junit'])('is counted in the output of its reporter %s', (reporter) => {
    const said = getOutput({ 'a.test.mjs': NODE_FILE }, ['--test', `--test-reporter=${reporter}`]);
    const failing = reporter === 'junit' ? ['test fails', 'suite deep # fails'] : MIXED.failing;
    const empty = reporter === 'junit' ? {} : { empty: [] };
    expect(readCounts(said)).toEqual({ ...MIXED, failing, ...empty });
  });

  test.each(['spec', 'tap'])(
    'names a file that ended before any of its tests ran, with the reporter %s',
    (reporter) => {
      const said = getOutput(
        {
          'a.test.mjs': `import { test } from 'node:test'; import './a.mjs'; test('one', () => {}); test('two', () => {});`,
          'a.mjs': 'process.exit(0);',
        },
        ['--test', `--test-reporter=${reporter}`],
      );
      // The process ends before a test has run. The runner then counts the file as one passed test.
      const counts = readCounts(said);
      expect(counts?.passed).toBe(1);
      expect(counts?.empty).toEqual([expect.stringMatching(/a\.test\.mjs$/)]);
    },
  );
});

describe('the summary of vitest', () => {
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

  test('is counted in the output of the default reporter', () => {
    const said = getOutput({ 'a.test.mjs': FILE, 'package.json': '{}' }, VITEST);
    expect(readCounts(said)).toEqual({
      ...MIXED,
      failing: ['a.test.mjs > fails', 'a.test.mjs > suite > deep fails'],
    });
  });

  test('is read in TAP format, too, with the counts of its tests', () => {
    const quiet = FILE.replace(/console\.log.*\n/, '');
    const files = { 'a.test.mjs': quiet, 'package.json': '{}' };
    expect(readCounts(getOutput(files, [...VITEST, '--reporter=tap-flat']))).toEqual({
      ...MIXED,
      failing: ['a.test.mjs > fails', 'a.test.mjs > suite > deep fails'],
    });
  });

  test('has counts of 0 if no test ran', () => {
    const said = getOutput({ 'a.test.mjs': 'process.exitCode = 0;', 'package.json': '{}' }, VITEST);
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
      passed: 2,
      failed: 3,
      skipped: 2,
      failing: ['test_a.py::test_fails', 'test_a.py::test_p[x y]', 'test_a.py::test_err'],
    },
  ]),
  ['cargo.txt', { passed: 2, failed: 1, skipped: 1, failing: ['tests::fails'] }],
  ['go.txt', { passed: 4, failed: 2, skipped: 1, failing: ['TestTable', 'TestTable/two'] }],
  ['tap.txt', { passed: 2, failed: 1, skipped: 1, failing: ['writes # the file'] }],
])('the tests in the recorded output %s are counted', (name, counts) => {
  expect(readCounts(readRecorded(name))).toEqual(counts);
});

describe('the numbers of tests in the recorded output of real runners', () => {
  const formatCounts = (name: string): string => {
    const counts = readCounts(sanitiseText(readRecorded(`${name}.txt`)));
    if (counts === undefined) return 'nothing';
    const { passed, failed, skipped, failing } = counts;
    return [`${passed} passed, ${failed} failed, ${skipped} skipped`, ...failing].join('; ');
  };

  test.each<readonly [string, string, string, number?]>([
    ['tape', '2 passed, 2 failed, 1 skipped; rounds to the next; no error', 'nothing'],
    ['tap-spec', '2 passed, 2 failed, 1 skipped; rounds to the next; no error', 'nothing'],
    [
      'mocha',
      '1 passed, 2 failed, 2 skipped; cart rounds half up; cart hooks "before all" hook for "is never run"',
      'nothing',
    ],
    [
      'ava',
      '2 passed, 2 failed, 3 skipped; rounds half up; throws',
      '0 passed, 1 failed, 0 skipped',
    ],
    ['uvu', '1 passed, 3 failed, 1 skipped; "rounds half up"; "throws"; cart  "takes"', 'nothing'],
    [
      'node',
      '1 passed, 2 failed, 2 skipped; rounds half up; is never run; hooks',
      '0 passed, 1 failed, 0 skipped; /home/dev/js/nt/broken.test.mjs',
    ],
    [
      'vitest',
      '1 passed, 1 failed, 3 skipped; vt/mixed.test.mjs > hooks; vt/mixed.test.mjs > rounds half up',
      '0 passed, 0 failed, 0 skipped',
    ],
    [
      'jest',
      '1 passed, 2 failed, 2 skipped; cart › rounds half up; cart › hooks › is never run',
      '0 passed, 0 failed, 0 skipped; Test suite failed to run',
    ],
    [
      'pytest',
      '1 passed, 2 failed, 2 skipped; test_mixed.py::test_rounds_half_up; test_mixed.py::test_needs',
      '0 passed, 1 failed, 0 skipped; test_broken.py',
    ],
    [
      'unittest',
      '2 passed, 4 failed, 2 skipped; test_throws (test_mixed.Cart.test_throws); test_rounds_half_up (test_mixed.Cart.test_rounds_half_up); test_rows (test_mixed.Cart.test_rows); test_surprise (test_mixed.Cart.test_surprise)',
      '0 passed, 1 failed, 0 skipped; test_broken (unittest.loader._FailedTest.test_broken)',
    ],
    [
      'go',
      '2 passed, 4 failed, 1 skipped; TestRounds; TestTable; TestTable/two; TestPanics',
      'nothing',
    ],
    ['cargo', '2 passed, 1 failed, 1 skipped; tests::rounds', 'nothing', 3],
    [
      'rspec',
      '2 passed, 2 failed, 2 skipped; cart rounds half up; cart throws',
      '0 passed, 1 failed, 0 skipped',
    ],
    [
      'minitest',
      '2 passed, 2 failed, 1 skipped; CartTest#test_throws; CartTest#test_rounds',
      'nothing',
    ],
    [
      'maven',
      '2 passed, 2 failed, 1 skipped; shop.CartTest.throwsAway; shop.CartTest.roundsHalfUp',
      'nothing',
    ],
    ['deno', '2 passed, 2 failed, 1 skipped; rounds half up; cart ... two', 'nothing'],
  ])(
    'are read from %s: with failures, without failures, and with a file that cannot be loaded',
    (runner, mixed, broken, green = 2) => {
      expect(formatCounts(`${runner}-mixed`)).toBe(mixed);
      expect(formatCounts(`${runner}-green`)).toBe(`${green} passed, 0 failed, 1 skipped`);
      expect(formatCounts(`${runner}-broken`)).toBe(broken);
    },
  );

  test.each([
    [
      'phpunit-mixed',
      '2 passed, 2 failed, 2 skipped; MixedTest::testThrows; MixedTest::testRounds',
    ],
    ['phpunit-green', '2 passed, 0 failed, 0 skipped'],
    ['phpunit-skipped', '1 passed, 0 failed, 1 skipped'],
    ['phpunit-broken', 'nothing'],
    [
      'exunit-mixed',
      '2 passed, 2 failed, 1 skipped; test throws (MixedTest); test rounds half up (MixedTest)',
    ],
    ['exunit-green', '2 passed, 0 failed, 1 skipped'],
    ['ctest-mixed', '2 passed, 2 failed, 1 skipped; rounds; throws'],
    ['ctest-green', '2 passed, 0 failed, 1 skipped'],
    ['meson-mixed', '2 passed, 1 failed, 2 skipped; shop:rounds'],
    ['meson-green', '2 passed, 0 failed, 1 skipped'],
    ['zig-mixed', '1 passed, 1 failed, 1 skipped; mixed.test.rounds'],
    ['zig-green', '2 passed, 0 failed, 0 skipped'],
    ['go-quiet-green', 'nothing'],
  ])('are read from the recording %s as: %s', (name, wanted) => {
    expect(formatCounts(name)).toBe(wanted);
  });
});

/** These runners were not at hand: their summaries are as their documentation shows them. */
test.each([
  [
    'dotnet test, two projects',
    'Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 12 ms - A.Tests.dll (net8.0)\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 9 ms - B.Tests.dll (net8.0)\n',
    { passed: 5, failed: 1, skipped: 1 },
  ],
  [
    'ScalaTest by sbt',
    '[info] Total number of tests run: 3\n[info] Suites: completed 1, aborted 0\n[info] Tests: succeeded 2, failed 1, canceled 0, ignored 1, pending 0\n[info] *** 1 TEST FAILED ***\n',
    { passed: 2, failed: 1, skipped: 1 },
  ],
  [
    'XCTest',
    "Test Case 'CartTests.testRounds' failed (0.001 seconds)\nExecuted 3 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.011 (0.012) seconds\n",
    { passed: 1, failed: 1, skipped: 1 },
  ],
])(
  'the numbers of tests are read from the sample output in the documentation of %s',
  (_runner, text, wanted) => {
    expect(readCounts(text)).toMatchObject(wanted);
  },
);

test('no numbers of tests are read from a summary whose numbers contradict each other', () => {
  for (const text of [
    '  total:     4\n  passing:   2\n  failing:   1\n  duration:  1ms\n',
    '3 runs, 3 assertions, 4 failures, 0 errors, 0 skips\n',
    'Passed!  - Failed:     0, Passed:     9, Skipped:     0, Total:     3, Duration: 9 ms - a\n',
  ])
    expect(readCounts(text)).toBeUndefined();
});

describe('output without a valid summary', () => {
  test.each([
    ['no output', ''],
    ['a program that says that it went well', 'All tests passed!\n12 passed\nOK (9 tests)\n'],
    ['a linter', 'Checked 12 files in 3s. No fixes applied.\n'],
    ['a part of a summary', 'ℹ tests 3\nℹ pass 3\nℹ fail 0\n'],
    [
      'sums that are wrong',
      'ℹ tests 3\nℹ suites 0\nℹ pass 9\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1\n',
    ],
    ['sums of vitest that are wrong', ' Test Files  1 passed (1)\n      Tests  9 passed (3)\n'],
    ['TAP with a line too many', readRecorded('tap.txt').replace('1..4', '1..4\nok 1 - smuggled')],
    ['TAP with a line too few', readRecorded('tap.txt').replace('1..4', '1..5')],
    ['lines of TAP without its version', 'ok 1 - a\n1..1\n'],
    [
      'a section of cargo that states two numbers',
      readRecorded('cargo.txt').replace('running 3 tests', 'running 4 tests'),
    ],
    ['output of go without -v', 'ok  \texample.com/add\t0.002s\n'],
  ])('gives no numbers of tests: %s', (_what, text) => {
    expect(readCounts(text)).toBeUndefined();
  });
});

describe('output that a test itself prints', () => {
  const real = readRecorded('pytest.txt');

  test('is ignored if it looks like a summary of another test runner and the real summary, of pytest, follows', () => {
    for (const name of ['mocha.txt', 'jest.txt', 'go.txt', 'tap.txt', 'cargo.txt'])
      expect(readCounts(`${readRecorded(name)}\n${real}`)).toEqual(readCounts(real));
  });

  test('adds no test to the count of a JUnit report if it contains a <testcase>', () => {
    const makeSuite = (inner: string): string =>
      `<?xml version="1.0"?>\n<testsuites tests="99">\n<testsuite><testcase classname="a" name="b"><system-out>${inner}</system-out></testcase></testsuite>\n</testsuites>\n`;
    for (const inner of [
      '<![CDATA[<testcase name="x"/><testcase name="y"/>]]>',
      '<!-- <testcase name="x"/> -->',
      '&lt;testcase name="x"/&gt;',
    ])
      expect(readCounts(makeSuite(inner))).toEqual({
        passed: 1,
        failed: 0,
        skipped: 0,
        failing: [],
      });
  });
});

test.each([
  ['TAP', (n: number) => `${'not ok 1 - '.repeat(n)}\n${'ok 1 - a\n'.repeat(2 * n)}`],
  ['JUnit', (n: number) => `${' '.repeat(8 * n)}\n${'<testcase '.repeat(n)}</testsuite>`],
  [
    'mocha',
    (n: number) => `${'  1) a\n'.repeat(2 * n)}\n  1 passing (1ms)\n${'  1) a\n'.repeat(n)}`,
  ],
  ['ava', (n: number) => `${'  ─\n\n  1 test failed\n'.repeat(n)}${'  ✔ a\n'.repeat(n)}`],
  ['PHPUnit', (n: number) => `Tests: 1, Assertions: 1${', Warnings: 1'.repeat(2 * n)}`],
  ['Maven', (n: number) => 'Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n'.repeat(n)],
])(
  'the output of a test runner is parsed in steps in proportion to its length: %s',
  async (_runner, make) => {
    const file = new URL('known-counts.ts', import.meta.url);
    const calls = [[make(5_000)], [make(50_000)]];
    const [small = 0, large = 0] = await countSteps(file, 'readKnownCounts', calls);
    expect(large).toBeLessThan(small * 12);
  },
);
