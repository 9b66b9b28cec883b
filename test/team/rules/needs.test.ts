/** Tests what a task needs beyond the files that it holds. */
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../../src/protocols/team/fold.ts';
import { MOST_GRANTS, settleNeed } from '../../../src/protocols/team/rules/needs.ts';
import { makeValidTask, makeWaitingTask } from './values.ts';

const toWorking = (task: TaskView): TaskView => ({ ...task, state: 'working' });
const A = toWorking(makeWaitingTask(makeValidTask('a')));
const settleForA = (
  what: string,
  change: Partial<Parameters<typeof settleNeed>[2]> = {},
  kind: Parameters<typeof settleNeed>[0]['kind'] = 'file',
) =>
  settleNeed({ kind, what, why: 'It calls it.' }, A, {
    tasks: [A],
    ordered: [],
    guarded: ['**/package.json'],
    locked: ['test/blind/**'],
    granted: 0,
    ...change,
  });

describe('A task’s request for a further file', () => {
  it('is granted if no other task holds the file', () => {
    expect(settleForA('src/help.js')).toEqual({ grant: ['src/help.js'] });
    expect(settleForA(' ./src/help.js ')).toEqual({ grant: ['src/help.js'] });
    expect(settleForA('app/[id]/page.js')).toEqual({ grant: ['app/[id]/page.js'] });
    expect(settleForA('Makefile')).toEqual({ grant: ['Makefile'] });
    expect(settleForA('__proto__')).toEqual({ grant: ['__proto__'] });
  });

  it('is granted if each other task that holds the file runs before or after this task', () => {
    const makeHolder = (id: string, depends_on: string[] = []) =>
      makeWaitingTask(makeValidTask(id, { files: ['src/help.js'], depends_on }));
    const before = { ...makeHolder('before'), state: 'done' } as const;
    const self = { ...A, task: { ...A.task, depends_on: ['between'] } };
    const between = makeWaitingTask(makeValidTask('between', { depends_on: ['before'] }));
    const grant = { grant: ['src/help.js'] };
    const settleAmong = (
      task: TaskView,
      tasks: readonly TaskView[],
      ordered: Parameters<typeof settleNeed>[2]['ordered'] = [],
    ) =>
      settleNeed({ kind: 'file', what: 'src/help.js', why: '' }, task, {
        tasks,
        ordered,
        guarded: [],
        locked: [],
        granted: 0,
      });
    expect(settleAmong(self, [before, between, self])).toEqual(grant);
    expect(settleAmong(A, [A, makeHolder('after', ['a'])])).toEqual(grant);
    expect(
      settleAmong(A, [A, makeHolder('after')], [{ before: 'a', after: 'after', file: 'x' }]),
    ).toEqual(grant);
  });

  it.each(['waiting', 'working', 'green', 'done', 'stuck'] as const)(
    'is passed to a higher tier if a task in the state “%s” that might run in parallel holds the file',
    (state) => {
      const other = { ...makeWaitingTask(makeValidTask('b', { files: ['src/*.js'] })), state };
      expect(settleForA('src/help.js', { tasks: [A, other] })).toEqual({
        above: 'src/help.js is held by task b, which may be at work at the same time.',
      });
      expect(settleForA('src/help.js', { tasks: [A, { ...other, state: 'dropped' }] })).toEqual({
        grant: ['src/help.js'],
      });
    },
  );

  it('is passed to a higher tier if two tasks want each other’s files', () => {
    const b = toWorking(makeWaitingTask(makeValidTask('b')));
    const settleBetween = (task: TaskView, what: string) =>
      settleNeed({ kind: 'file', what, why: '' }, task, {
        tasks: [A, b],
        ordered: [],
        guarded: [],
        locked: [],
        granted: 0,
      });
    expect(settleBetween(A, 'src/b.js')).toHaveProperty('above');
    expect(settleBetween(b, 'src/a.js')).toHaveProperty('above');
  });

  it('is granted up to the third time, and then passed to a higher tier', () => {
    for (let granted = 0; granted < MOST_GRANTS; granted += 1)
      expect(settleForA('src/help.js', { granted })).toHaveProperty('grant');
    expect(settleForA('src/help.js', { granted: MOST_GRANTS })).toEqual({
      above: '3 files were granted, and src/help.js is one more.',
    });
  });

  it('is passed on for a person to decide if the file is guarded, and refused if it is an acceptance test', () => {
    expect(settleForA('lib/package.json')).toEqual({
      above: 'lib/package.json is guarded: only a person lets a task hold it.',
    });
    for (const kind of ['file', 'test-change'] as const)
      expect(settleForA('test/blind/r1.test.js', {}, kind)).toEqual({
        refuse: 'test/blind/r1.test.js is an acceptance test, which no task changes.',
      });
  });

  it('is refused if the task holds the file already, or if the path does not name one file of the repository', () => {
    expect(settleForA('src/a.js')).toEqual({ refuse: 'src/a.js is held by this task already.' });
    const settleHolding = (...files: string[]) =>
      settleNeed(
        { kind: 'file', what: 'lib/package.json', why: '' },
        { ...A, files },
        {
          tasks: [A],
          ordered: [],
          guarded: ['**/package.json'],
          locked: [],
          granted: 0,
        },
      );
    expect(settleHolding('lib/**')).toHaveProperty('above');
    expect(settleHolding('lib/**', 'lib/package.json')).toHaveProperty('refuse');
    for (const what of ['', '../x', '/etc/passwd', '.git/config', 'a\nb', 'src/*', '**', '{a,b}'])
      expect(settleForA(what), what).toHaveProperty('refuse');
  });
});

it.each(['test-change', 'check', 'dependency', 'decision'] as const)(
  'A task’s request for something other than a file (%s) is passed to a higher tier',
  (kind) => {
    expect(settleForA('left-pad', {}, kind)).toHaveProperty('above');
  },
);
