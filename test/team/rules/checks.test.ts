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
import { makeFailingRun, makePassingRun, makeValidTask } from './values.ts';

const never = makePassingRun({ exit: null, ended: 'not-started', counts: undefined });
const noCounts = (exit: number) => makePassingRun({ exit, counts: undefined });
const makeRun = (passed: number, skipped = 0) =>
  makePassingRun({ counts: { passed, failed: 0, skipped, failing: [] } });

describe('A check on the starting commit', () => {
  it.each<[string, CheckRun[], string, string[]]>([
    ['passes twice (state: green)', [makePassingRun(), makePassingRun()], 'green', []],
    ['has no counts and exits with 0 (state: green)', [noCounts(0), noCounts(0)], 'green', []],
    [
      'fails twice in the same way (state: red)',
      [makeFailingRun('b', 'a'), makeFailingRun('a', 'b')],
      'red',
      ['a', 'b'],
    ],
    ['fails once (state: flaky)', [makePassingRun(), makeFailingRun('a')], 'flaky', ['a']],
    [
      'fails in another way the second time (state: flaky)',
      [makeFailingRun('a'), makeFailingRun('b')],
      'flaky',
      ['a', 'b'],
    ],
    [
      'exits with 0 and counts a failure (state: red)',
      [
        { ...makeFailingRun('a'), exit: 0 },
        { ...makeFailingRun('a'), exit: 0 },
      ],
      'red',
      ['a'],
    ],
    [
      'exceeds its time limit twice (state: red)',
      [noCounts(0), noCounts(0)].map((run) => ({ ...run, exit: null, ended: 'time' as const })),
      'red',
      [],
    ],
    ['cannot start (state: not-started)', [never, never], 'not-started', []],
    ['starts only once (state: not-started)', [makePassingRun(), never], 'not-started', []],
    ['never ran (state: not-started)', [], 'not-started', []],
  ])('is judged by how it ran: it %s', (_what, runs, state, red) => {
    expect(judgeBaseRuns('unit', runs)).toEqual({ check: 'unit', state, runs, red });
  });
});

describe('New tests on the starting commit', () => {
  it('are red only if they fail in every run', () => {
    const red = makeFailingRun('new');
    expect(judgeNewTests([red, red, red])).toBe('red');
    expect(judgeNewTests([red, makePassingRun(), red])).toBe('vacuous');
    expect(judgeNewTests([makePassingRun()])).toBe('vacuous');
    expect(judgeNewTests([noCounts(1)])).toBe('red');
  });

  it('are red if they could not be loaded', () => {
    const none = { failed: 0, skipped: 0, failing: [] };
    expect(judgeNewTests([makePassingRun({ exit: 1, counts: { passed: 0, ...none } })])).toBe(
      'red',
    );
    expect(judgeNewTests([makePassingRun({ exit: 1, counts: { passed: 3, ...none } })])).toBe(
      'vacuous',
    );
  });

  it('count as not run if any of their runs was cut short or could not start', () => {
    for (const ended of ['time', 'output', 'signal', 'stopped', 'not-started'] as const)
      expect(judgeNewTests([makeFailingRun('new'), makePassingRun({ exit: null, ended })])).toBe(
        'not-run',
      );
    expect(judgeNewTests([])).toBe('not-run');
  });
});

describe('A commit of a task’s work', () => {
  const base = judgeBaseRuns('unit', [makePassingRun(), makePassingRun()]);
  const says = makeValidTask('a', {
    changes_tests: [{ file: 'test/a.test.js', why: 'R1 has another order.' }],
  });
  const judgeRun = (
    commit: CheckRun,
    change: Partial<Parameters<typeof judgeChecks>[1][number]> = {},
    of = makeValidTask('a'),
    edition = 8,
  ) => judgeChecks(of, [{ check: 'unit', base, commit, ...change }], edition);
  const GREEN = { green: true, why: [], environment: false };
  const makeRed = (...why: string[]) => ({ green: false, why, environment: false });

  it('is green if at least as many tests pass as on the starting commit', () => {
    expect(judgeRun(makePassingRun())).toEqual(GREEN);
    expect(judgeRun(makeRun(14), { oldTests: makePassingRun() })).toEqual(GREEN);
    expect(
      judgeRun(noCounts(0), { base: judgeBaseRuns('lint', [noCounts(0), noCounts(0)]) }),
    ).toEqual(GREEN);
  });

  it('is red if a check exits with an error, and the failing tests are named', () => {
    expect(judgeRun(makeFailingRun('lists', 'sorts'))).toEqual(
      makeRed('unit: exit 1: lists, sorts'),
    );
    expect(judgeRun(noCounts(2))).toEqual(makeRed('unit: exit 2'));
    expect(judgeRun(makeFailingRun(...'abcdefg'))).toEqual(
      makeRed('unit: exit 1: a, b, c, d, e and 2 more'),
    );
    expect(judgeRun({ ...makeFailingRun('lists'), exit: 0 })).toEqual(
      makeRed('unit: exit 0, and 1 test failed: lists'),
    );
  });

  it('is red if fewer tests pass than on the starting commit, as when tests were deleted', () => {
    expect(judgeRun(makeRun(11))).toEqual(
      makeRed('unit: fewer tests passed than on the base: 11 of 12'),
    );
    expect(judgeRun(makeRun(0))).toEqual(
      makeRed('unit: fewer tests passed than on the base: 0 of 12'),
    );
  });

  it('is red if a test file ended before its tests ran', () => {
    const makeRunWithEmpty = (passed: number, ...empty: string[]) =>
      makePassingRun({ counts: { passed, failed: 0, skipped: 0, failing: [], empty } });
    const noneEmpty = { base: judgeBaseRuns('unit', [makeRunWithEmpty(12), makeRunWithEmpty(12)]) };
    expect(judgeRun(makeRunWithEmpty(13, 'test/a.test.js'), noneEmpty)).toEqual(
      makeRed('unit: no test ran in test/a.test.js'),
    );
    expect(judgeRun(makeRunWithEmpty(13, 'test/a.test.js'), noneEmpty, says)).toMatchObject({
      green: false,
    });
    const emptyUnknown = { base };
    expect(judgeRun(makeRunWithEmpty(13, 'test/a.test.js'), emptyUnknown)).toEqual(GREEN);
    const emptyBefore = judgeBaseRuns('unit', [
      makeRunWithEmpty(12, 'test/a.test.js'),
      makeRunWithEmpty(12, 'test/a.test.js'),
    ]);
    expect(judgeRun(makeRunWithEmpty(12, 'test/a.test.js'), { base: emptyBefore })).toEqual(GREEN);
    const allPassedFilesEmpty = judgeBaseRuns('unit', [
      makeRunWithEmpty(1, 'test/a.js'),
      makeRunWithEmpty(1, 'test/a.js'),
    ]);
    expect(
      judgeRun(makeRunWithEmpty(2, 'test/a.js', 'test/b.js'), { base: allPassedFilesEmpty }),
    ).toEqual(GREEN);
  });

  it('is red if more tests are skipped than on the starting commit', () => {
    expect(judgeRun(makeRun(12, 1))).toEqual(
      makeRed('unit: more tests skipped than on the base: 1, there 0'),
    );
    expect(judgeRun(makeRun(11, 1))).toEqual(
      makeRed(
        'unit: fewer tests passed than on the base: 11 of 12',
        'unit: more tests skipped than on the base: 1, there 0',
      ),
    );
  });

  it('is red if a check exits with 0 but its tests were not counted', () => {
    expect(judgeRun(noCounts(0))).toEqual(
      makeRed('unit: exit 0, and no count of tests where the base has 12 passed'),
    );
    expect(judgeRun(noCounts(0), {}, says)).toMatchObject({ green: false });
  });

  it('may pass fewer tests if its task says which tests it changes and why', () => {
    expect(judgeRun(makeRun(11), {}, says)).toEqual(GREEN);
    expect(judgeRun(makeRun(11, 1), {}, says)).toEqual(GREEN);
    expect(judgeRun(makeFailingRun('lists'), {}, says)).toEqual(makeRed('unit: exit 1: lists'));
    const unsaid = makeValidTask('a', { changes_tests: [{ file: 'test/a.test.js', why: ' ' }] });
    expect(judgeRun(makeRun(11), {}, unsaid)).toMatchObject({ green: false });
  });

  it('is red if older tests fail, whatever its task says', () => {
    for (const of of [makeValidTask('a'), says])
      expect(judgeRun(makePassingRun(), { oldTests: makeFailingRun('lists') }, of)).toEqual(
        makeRed("unit, with the base's tests: exit 1: lists"),
      );
    expect(judgeRun(makePassingRun(), { oldTests: makeRun(3) }, says)).toEqual(
      makeRed("unit, with the base's tests: fewer tests passed than on the base: 3 of 12"),
    );
  });

  it('is not judged by tests that were red or flaky on the starting commit', () => {
    const flaky = judgeBaseRuns('unit', [makePassingRun(), makeFailingRun('clock')]);
    const broken = judgeBaseRuns('unit', [makeFailingRun('clock'), makeFailingRun('clock')]);
    for (const base of [flaky, broken]) {
      expect(judgeRun(makeFailingRun('clock'), { base })).toEqual(GREEN);
      expect(judgeRun(makePassingRun(), { base })).toEqual(GREEN);
      expect(judgeRun(makeFailingRun('clock', 'lists'), { base })).toEqual(
        makeRed('unit: red, and not on the base: lists'),
      );
      expect(judgeRun(makeRun(4), { base })).toEqual(
        makeRed('unit: fewer tests passed than on the base: 4 of 11'),
      );
    }
    const dark = judgeBaseRuns('unit', [noCounts(1), noCounts(1)]);
    expect(judgeRun(noCounts(1), { base: dark })).toEqual(GREEN);
  });

  it('is red if a check with failed tests on the starting commit does not count its tests any more', () => {
    const broken = judgeBaseRuns('unit', [makeFailingRun('clock'), makeFailingRun('clock')]);
    expect(judgeRun(noCounts(2), { base: broken })).toEqual(
      makeRed('unit: exit 2, and no count of tests where the base has 11 passed'),
    );
    expect(judgeRun(noCounts(2), { base: broken }, says)).toMatchObject({ green: false });
    // Runs that began under an earlier version keep its rules.
    expect(judgeRun(noCounts(2), { base: broken }, undefined, 7)).toEqual(GREEN);
  });

  it('is red if more tests fail than on the starting commit, although the check names none of them', () => {
    const makeUnnamed = (failed: number) =>
      makePassingRun({ exit: 1, counts: { passed: 11, failed, skipped: 0, failing: [] } });
    const broken = judgeBaseRuns('unit', [makeUnnamed(1), makeUnnamed(1)]);
    expect(judgeRun(makeUnnamed(1), { base: broken })).toEqual(GREEN);
    expect(judgeRun(makeUnnamed(3), { base: broken })).toEqual(
      makeRed('unit: more tests failed than on the base: 3, there 1'),
    );
    expect(judgeRun(makeUnnamed(3), { base: broken }, undefined, 7)).toEqual(GREEN);
  });

  it('has a failure of the environment, not of the work, if a check was cut short or could not start', () => {
    const makeFault = (why: string) => ({ green: false, why: [`unit: ${why}`], environment: true });
    const judgeEnd = (end: CheckRun['ended']) =>
      judgeRun(makePassingRun({ exit: null, ended: end, counts: undefined }));
    expect(judgeEnd('not-started')).toEqual(makeFault('it could not start'));
    expect(judgeEnd('time')).toEqual(makeFault('it was out of time, and on the base it was not'));
    expect(judgeEnd('output')).toEqual(makeFault('it printed too much to be read'));
    expect(judgeEnd('stopped')).toEqual(makeFault('it was stopped'));
    expect(judgeEnd('signal')).toEqual(makeFault('it was ended by a signal'));
    expect(judgeEnd(undefined)).toEqual(makeFault('it was ended by a signal'));
    expect(judgeChecks(makeValidTask('a'), [], 8)).toEqual({
      green: false,
      why: ['no check ran'],
      environment: true,
    });
  });

  it('is not judged by a check that could not start, or ran out of time, on the starting commit', () => {
    const late = makePassingRun({ exit: null, ended: 'time', counts: undefined });
    expect(judgeRun(late, { base: judgeBaseRuns('unit', [late, late]) })).toEqual(GREEN);
    expect(judgeRun(never, { base: judgeBaseRuns('unit', [never]) })).toEqual(GREEN);
  });

  it('has a failure of the work, not of the environment, if one check is red and another could not start', () => {
    const both = judgeChecks(
      makeValidTask('a'),
      [
        { check: 'unit', base, commit: makeFailingRun('lists') },
        { check: 'lint', base, commit: never },
      ],
      8,
    );
    expect(both).toEqual(makeRed('unit: exit 1: lists', 'lint: it could not start'));
  });

  it('is reported if it changes an existing test and its task does not announce that', () => {
    const makeChange = (path: string, kind: FileChange['kind']) => ({
      path,
      kind,
      added: 1,
      removed: 1,
    });
    const changes = [
      makeChange('src/a.js', 'changed'),
      makeChange('test/a.test.js', 'removed'),
      makeChange('test/b.test.js', 'changed'),
      makeChange('test/new.test.js', 'added'),
    ];
    expect(findUndeclaredTestChanges(says, changes, ['test/**'])).toEqual([
      'the test test/b.test.js is changed, and the task does not say so',
    ]);
    expect(findUndeclaredTestChanges(makeValidTask('a'), changes, ['test/**'])).toHaveLength(2);
    const paths = ['test/a.test.js', 'test/b.test.js'];
    expect(findOldTests(says, paths)).toEqual(['test/b.test.js']);
    expect(findOldTests(makeValidTask('a'), paths)).toEqual(paths);
  });
});
