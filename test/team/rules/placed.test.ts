/** Tests how work that belongs to no task may be given to one. */
import { describe, expect, it } from 'vitest';
import type { PlacedNeed } from '../../../src/protocols/team/forms/design.ts';
import {
  problemsInPlacement,
  type UnownedWork,
  withUnownedWork,
} from '../../../src/protocols/team/rules/placed.ts';
import { makeValidTask } from './values.ts';

const TASKS = [
  makeValidTask('one', { files: ['src/one.js'] }),
  makeValidTask('two', { files: ['src/two.js'] }),
];
const N1: UnownedWork = {
  id: 'N1',
  workstream: 'list',
  need: { kind: 'file', what: 'NEWS.md', why: 'users read it' },
};
const TEST: UnownedWork = { ...N1, need: { ...N1.need, kind: 'test-change' } };
const makePlacement = (more: Partial<PlacedNeed> = {}): PlacedNeed => ({
  item: 'N1',
  task: 'one',
  files: ['NEWS.md'],
  what: 'Add a line.',
  why: 'it is the change',
  ...more,
});
const findProblems = (said: readonly PlacedNeed[], of = N1) =>
  problemsInPlacement(of, said, TASKS, ['test/r1.test.js']);

describe('a model’s answer on which task takes work that belongs to no task', () => {
  it.each([
    ['given to a task', makePlacement()],
    ['given to a task without a file', makePlacement({ files: [] })],
    ['left out with a reason', makePlacement({ task: '', files: [], what: '' })],
  ])('is accepted if the work is %s', (_, placement) => {
    expect(findProblems([placement])).toEqual([]);
  });

  it.each<[string, PlacedNeed[], RegExp]>([
    ['not mentioned', [makePlacement({ item: 'N2' })], /^it is missing/],
    [
      'given to two tasks',
      [makePlacement(), makePlacement({ task: 'two' })],
      /^it is placed 2 times/,
    ],
    [
      'given to an unknown task',
      [makePlacement({ task: 'three' })],
      /^there is no task three, only one, two$/,
    ],
    ['left out without a reason', [makePlacement({ task: '', why: ' ' })], /^it is left out/],
    ['given to a task without a description', [makePlacement({ what: '' })], /^what does not say/],
    [
      'given to a task with a file outside the repository',
      [makePlacement({ files: ['../x'] })],
      /leads out of the repository$/,
    ],
    [
      'given to a task with a locked test',
      [makePlacement({ files: ['test/r1.test.js'] })],
      /is an acceptance test/,
    ],
  ])('is refused if the work is %s', (_, said, why) => {
    expect(findProblems(said)).toEqual([expect.stringMatching(why)]);
  });

  it('must name the test that the work changes; the task may then change that test', () => {
    expect(findProblems([makePlacement({ files: [] })], TEST)).toEqual([
      'files does not name the test that one may change',
    ]);
    const given = {
      ...TEST,
      by: 'T2' as const,
      placed: makePlacement({ files: ['test/old.test.js'] }),
    };
    const [firstTask = makeValidTask('none')] = TASKS;
    expect(withUnownedWork(firstTask, [given])).toMatchObject({
      files: ['src/one.js', 'test/old.test.js'],
      changes_tests: [{ file: 'test/old.test.js', why: 'users read it' }],
      brief: `${firstTask.brief}\n\nT2 adds: Add a line.`,
    });
    // The need N1 asks for a file that is no test, so the file is not declared as a change to a test.
    expect(withUnownedWork(firstTask, [{ ...given, ...N1 }]).changes_tests).toEqual([]);
    expect(withUnownedWork(firstTask, [])).toBe(firstTask);
  });
});
