/** Tests the pieces of a split task as a lead may hand them in. */
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../../src/protocols/team/fold.ts';
import type { Piece } from '../../../src/protocols/team/forms/work.ts';
import { splitInto } from '../../../src/protocols/team/rules/split.ts';
import { makeValidTask } from './values.ts';

const FILES = ['src/money.js', 'src/receipt.js'];
const WHOLE: TaskView = {
  task: makeValidTask('all', { files: FILES, covers: ['R1', 'R2'], depends_on: ['before'] }),
  files: FILES,
  brief: 'Do  all of it.',
  state: 'waiting',
  attempts: [],
  retried: [],
  testChanges: [],
};
const makePiece = (id: string, more: Partial<Piece> = {}): Piece => ({
  id,
  title: id,
  files: ['src/money.js'],
  depends_on: [],
  covers: [],
  brief: `Do ${id}.`,
  done_when: '',
  ...more,
});
const splitTask = (pieces: readonly Piece[], left = 'The rest.', whole = WHOLE) =>
  splitInto(whole, pieces, left, {
    tasks: [whole],
    ordered: [{ before: 'other', after: 'all', file: 'src/money.js' }],
    guarded: ['**/package.json'],
  });

describe('the pieces into which a task is split', () => {
  it('come after all that the task waits for, and before the rest of the task', () => {
    const found = splitTask([
      makePiece('two', { depends_on: ['one'] }),
      makePiece('one'),
      makePiece('three'),
    ]);
    expect(found.refused).toEqual([]);
    expect(found.into.map(({ id, depends_on }) => [id, ...depends_on])).toEqual([
      ['one', 'before'],
      ['two', 'before', 'one'],
      ['three', 'before'],
    ]);
    expect(found.ordered.map(({ before, after }) => `${before} ${after}`)).toEqual([
      ...['one', 'two', 'three'].map((id) => `other ${id}`),
      'two three',
      ...['one', 'two', 'three'].map((id) => `${id} all`),
    ]);
  });

  it('need not cover every requirement of the task', () => {
    expect(splitTask([makePiece('one', { covers: ['R1'] })]).refused).toEqual([]);
  });

  it.each<[string, Piece[], RegExp]>([
    ['no brief', [makePiece('one', { brief: ' ' })], /^Task one has no brief/],
    [
      'the brief of the task',
      [makePiece('one', { brief: 'do all of it.' })],
      /one has the brief of all/,
    ],
    [
      'the same brief',
      [makePiece('one', { brief: 'It.' }), makePiece('two', { brief: 'it. ' })],
      /two has the brief of one/,
    ],
    [
      'the same id twice',
      [makePiece('one'), makePiece('one', { brief: 'More.' })],
      /two tasks one/,
    ],
    ['the id of the task', [makePiece('all')], /two tasks all/],
    [
      'a file that the task may not write',
      [makePiece('one', { files: ['src/new.js'] })],
      /holds src\/new.js, which all does not/,
    ],
    [
      'a requirement that the task does not cover',
      [makePiece('one', { covers: ['R9'] })],
      /covers R9, which all does not/,
    ],
    [
      'a dependency on the task itself',
      [makePiece('one', { depends_on: ['all'] })],
      /depends on all, which is none/,
    ],
    [
      'a circle',
      [makePiece('one', { depends_on: ['two'] }), makePiece('two', { depends_on: ['one'] })],
      /wait for one another/,
    ],
    ['more than six pieces', [1, 2, 3, 4, 5, 6, 7].map((at) => makePiece(`p${at}`)), /more than 6/],
  ])('are refused if they have %s', (_, pieces, why) => {
    expect(splitTask(pieces).refused.filter((reason) => why.test(reason))).toHaveLength(1);
  });

  it('may hold a guarded file if the task names the file itself, but not if only a glob matches it', () => {
    const wide = { ...WHOLE, files: ['src/**'] };
    const pieces = [makePiece('one', { files: ['src/package.json'] })];
    expect(splitTask(pieces, 'The rest.', wide).refused).toEqual([
      'Task one holds src/package.json, which is guarded: only a person lets it.',
    ]);
    const named = { ...WHOLE, files: ['src/**', 'src/package.json'] };
    expect(splitTask(pieces, 'The rest.', named).refused).toEqual([]);
    expect(splitTask([makePiece('one', { files: ['src/*'] })], 'The rest.', wide).refused).toEqual(
      [],
    );
  });

  it('are refused if one of them is the whole task and no work is left for the task', () => {
    const same = [makePiece('one', { files: FILES, covers: ['R2', 'R1'] })];
    expect(splitTask(same, ' ').refused).toEqual([expect.stringContaining('is all over again')]);
    expect(splitTask(same).refused).toEqual([]);
  });

  it('may not be split again', () => {
    const found = splitTask([makePiece('one')], '', { ...WHOLE, of: 'whole' });
    expect(found.refused).toEqual(['Task all is a piece of whole: it is not split again.']);
  });
});
