/** Tests what the runs of checks mean: an exit code of 0 is not enough. */
import { describe, expect, it } from 'vitest';
import type { CheckRun, FileChange } from '../../../src/kernel/tools/workshop.ts';
import {
  findOldTests,
  findUndeclaredTestChanges,
  judgeBaseRuns,
  judgeChecks,
  judgeNewTests,
} from '../../../src/protocols/team/rules/checks.ts';
import { failed, ran, task } from './values.ts';

const never = ran({ exit: null, ended: 'not-started', counts: undefined });
const noCounts = (exit: number) => ran({ exit, counts: undefined });
const counted = (passed: number, skipped = 0) =>
  ran({ counts: { passed, failed: 0, skipped, failing: [] } });

describe('A check on the starting commit', () => {
  it.each<[string, CheckRun[], string, string[]]>([
    ['passes twice (state: green)', [ran(), ran()], 'green', []],
    ['has no counts and exits with 0 (state: green)', [noCounts(0), noCounts(0)], 'green', []],
    [
      'fails twice in the same way (state: red)',
      [failed('b', 'a'), failed('a', 'b')],
      'red',
      ['a', 'b'],
    ],
    ['fails once (state: flaky)', [ran(), failed('a')], 'flaky', ['a']],
    [
      'fails in another way the second time (state: flaky)',
      [failed('a'), failed('b')],
      'flaky',
      ['a', 'b'],
    ],
    [
      'exits with 0 and counts a failure (state: red)',
      [
        { ...failed('a'), exit: 0 },
        { ...failed('a'), exit: 0 },
      ],
      'red',
      ['a'],
    ],
    [
      'exceeds its time limit twice (state: red)',
      [noCounts(0), noCounts(0)].map((one) => ({ ...one, exit: null, ended: 'time' as const })),
      'red',
      [],
    ],
    ['cannot start (state: not-started)', [never, never], 'not-started', []],
    ['starts only once (state: not-started)', [ran(), never], 'not-started', []],
    ['never ran (state: not-started)', [], 'not-started', []],
  ])('is judged by how it ran: it %s', (_what, runs, state, red) => {
    expect(judgeBaseRuns('unit', runs)).toEqual({ check: 'unit', state, runs, red });
  });
});

describe('New tests on the starting commit', () => {
  it('are red only if they fail in every run', () => {
    const red = failed('new');
    expect(judgeNewTests([red, red, red])).toBe('red');
    expect(judgeNewTests([red, ran(), red])).toBe('vacuous');
    expect(judgeNewTests([ran()])).toBe('vacuous');
    expect(judgeNewTests([noCounts(1)])).toBe('red');
  });

  it('are red if they could not be loaded', () => {
    const none = { failed: 0, skipped: 0, failing: [] };
    expect(judgeNewTests([ran({ exit: 1, counts: { passed: 0, ...none } })])).toBe('red');
    expect(judgeNewTests([ran({ exit: 1, counts: { passed: 3, ...none } })])).toBe('vacuous');
  });

  it('count as not run if any of their runs was cut short or could not start', () => {
    for (const ended of ['time', 'output', 'signal', 'stopped', 'not-started'] as const)
      expect(judgeNewTests([failed('new'), ran({ exit: null, ended })])).toBe('not-run');
    expect(judgeNewTests([])).toBe('not-run');
  });
});

describe('A commit of a task’s work', () => {
  const base = judgeBaseRuns('unit', [ran(), ran()]);
  const says = task('a', {
    changes_tests: [{ file: 'test/a.test.js', why: 'R1 has another order.' }],
  });
  const judged = (
    commit: CheckRun,
    change: Partial<Parameters<typeof judgeChecks>[1][number]> = {},
    of = task('a'),
  ) => judgeChecks(of, [{ check: 'unit', base, commit, ...change }]);
  const GREEN = { green: true, why: [], environment: false };
  const red = (...why: string[]) => ({ green: false, why, environment: false });

  it('is green if at least as many tests pass as on the starting commit', () => {
    expect(judged(ran())).toEqual(GREEN);
    expect(judged(counted(14), { oldTests: ran() })).toEqual(GREEN);
    expect(
      judged(noCounts(0), { base: judgeBaseRuns('lint', [noCounts(0), noCounts(0)]) }),
    ).toEqual(GREEN);
  });

  it('is red if a check exits with an error, and the failing tests are named', () => {
    expect(judged(failed('lists', 'sorts'))).toEqual(red('unit: exit 1: lists, sorts'));
    expect(judged(noCounts(2))).toEqual(red('unit: exit 2'));
    expect(judged(failed(...'abcdefg'))).toEqual(red('unit: exit 1: a, b, c, d, e and 2 more'));
    expect(judged({ ...failed('lists'), exit: 0 })).toEqual(
      red('unit: exit 0, and 1 test failed: lists'),
    );
  });

  it('is red if tests were deleted or emptied', () => {
    expect(judged(counted(11))).toEqual(red('unit: fewer tests passed than on the base: 11 of 12'));
    expect(judged(counted(0))).toEqual(red('unit: fewer tests passed than on the base: 0 of 12'));
  });

  it('is red if a test file ended before its tests ran', () => {
    const ended = (passed: number, ...empty: string[]) =>
      ran({ counts: { passed, failed: 0, skipped: 0, failing: [], empty } });
    const looked = { base: judgeBaseRuns('unit', [ended(12), ended(12)]) };
    expect(judged(ended(13, 'test/a.test.js'), looked)).toEqual(
      red('unit: no test ran in test/a.test.js'),
    );
    expect(judged(ended(13, 'test/a.test.js'), looked, says)).toMatchObject({ green: false });
    // The base has no list of files without tests, so nothing is said about the commit's.
    expect(judged(ended(13, 'test/a.test.js'))).toEqual(GREEN);
    // The same file had no test on the base either, or each file counts as a test.
    const known = judgeBaseRuns('unit', [ended(12, 'test/a.test.js'), ended(12, 'test/a.test.js')]);
    expect(judged(ended(12, 'test/a.test.js'), { base: known })).toEqual(GREEN);
    const plain = judgeBaseRuns('unit', [ended(1, 'test/a.js'), ended(1, 'test/a.js')]);
    expect(judged(ended(2, 'test/a.js', 'test/b.js'), { base: plain })).toEqual(GREEN);
  });

  it('is red if tests are skipped', () => {
    expect(judged(counted(12, 1))).toEqual(
      red('unit: more tests skipped than on the base: 1, there 0'),
    );
    expect(judged(counted(11, 1))).toEqual(
      red(
        'unit: fewer tests passed than on the base: 11 of 12',
        'unit: more tests skipped than on the base: 1, there 0',
      ),
    );
  });

  it('is red if a check exits with 0 but its tests were not counted', () => {
    expect(judged(noCounts(0))).toEqual(
      red('unit: exit 0, and no count of tests where the base has 12 passed'),
    );
    expect(judged(noCounts(0), {}, says)).toMatchObject({ green: false });
  });

  it('may pass fewer tests if its task says which tests it changes and why', () => {
    expect(judged(counted(11), {}, says)).toEqual(GREEN);
    expect(judged(counted(11, 1), {}, says)).toEqual(GREEN);
    expect(judged(failed('lists'), {}, says)).toEqual(red('unit: exit 1: lists'));
    const unsaid = task('a', { changes_tests: [{ file: 'test/a.test.js', why: ' ' }] });
    expect(judged(counted(11), {}, unsaid)).toMatchObject({ green: false });
  });

  it('is red if older tests fail, whatever its task says', () => {
    for (const of of [task('a'), says])
      expect(judged(ran(), { oldTests: failed('lists') }, of)).toEqual(
        red("unit, with the base's tests: exit 1: lists"),
      );
    expect(judged(ran(), { oldTests: counted(3) }, says)).toEqual(
      red("unit, with the base's tests: fewer tests passed than on the base: 3 of 12"),
    );
  });

  it('is not judged by tests that were red or flaky on the starting commit', () => {
    const flaky = judgeBaseRuns('unit', [ran(), failed('clock')]);
    const broken = judgeBaseRuns('unit', [failed('clock'), failed('clock')]);
    for (const base of [flaky, broken]) {
      expect(judged(failed('clock'), { base })).toEqual(GREEN);
      expect(judged(ran(), { base })).toEqual(GREEN);
      expect(judged(failed('clock', 'lists'), { base })).toEqual(
        red('unit: red, and not on the base: lists'),
      );
      expect(judged(counted(4), { base })).toEqual(
        red('unit: fewer tests passed than on the base: 4 of 11'),
      );
    }
    const dark = judgeBaseRuns('unit', [noCounts(1), noCounts(1)]);
    expect(judged(noCounts(1), { base: dark })).toEqual(GREEN);
  });

  it('has a failure of the environment, not of the work, if a check was cut short or could not start', () => {
    const fault = (why: string) => ({ green: false, why: [`unit: ${why}`], environment: true });
    const ended = (end: CheckRun['ended']) =>
      judged(ran({ exit: null, ended: end, counts: undefined }));
    expect(ended('not-started')).toEqual(fault('it could not start'));
    expect(ended('time')).toEqual(fault('it was out of time, and on the base it was not'));
    expect(ended('output')).toEqual(fault('it printed too much to be read'));
    expect(ended('stopped')).toEqual(fault('it was stopped'));
    expect(ended('signal')).toEqual(fault('it was ended by a signal'));
    expect(ended(undefined)).toEqual(fault('it was ended by a signal'));
    expect(judgeChecks(task('a'), [])).toEqual({
      green: false,
      why: ['no check ran'],
      environment: true,
    });
  });

  it('is not judged by a check that could not start on the starting commit', () => {
    const late = ran({ exit: null, ended: 'time', counts: undefined });
    expect(judged(late, { base: judgeBaseRuns('unit', [late, late]) })).toEqual(GREEN);
    expect(judged(never, { base: judgeBaseRuns('unit', [never]) })).toEqual(GREEN);
  });

  it('has a failure of the work, not of the environment, if one check is red and another could not start', () => {
    const both = judgeChecks(task('a'), [
      { check: 'unit', base, commit: failed('lists') },
      { check: 'lint', base, commit: never },
    ]);
    expect(both).toEqual(red('unit: exit 1: lists', 'lint: it could not start'));
  });

  it('is reported if it changes an existing test and its task does not announce that', () => {
    const changed = (path: string, kind: FileChange['kind']) => ({
      path,
      kind,
      added: 1,
      removed: 1,
    });
    const changes = [
      changed('src/a.js', 'changed'),
      changed('test/a.test.js', 'removed'),
      changed('test/b.test.js', 'changed'),
      changed('test/new.test.js', 'added'),
    ];
    expect(findUndeclaredTestChanges(says, changes, ['test/**'])).toEqual([
      'the test test/b.test.js is changed, and the task does not say so',
    ]);
    expect(findUndeclaredTestChanges(task('a'), changes, ['test/**'])).toHaveLength(2);
    const paths = ['test/a.test.js', 'test/b.test.js'];
    expect(findOldTests(says, paths)).toEqual(['test/b.test.js']);
    expect(findOldTests(task('a'), paths)).toEqual(paths);
  });
});
