/** Tests the graph of all tasks of a run, in which tasks that hold a common file are ordered. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskGraph } from '../../../src/protocols/team/forms/design.ts';
import type { Task } from '../../../src/protocols/team/forms/plan.ts';
import {
  findAllBefore,
  findReadyTasks,
  joinGraphs,
  startsFrom,
} from '../../../src/protocols/team/rules/graph.ts';
import { canOverlap } from '../../../src/text/globs.ts';
import { makeValidPlan, makeValidTask, makeValidWorkstream, makeWaitingTask } from './values.ts';

const makeGraph = (...tasks: readonly Task[]): TaskGraph => ({ tasks: [...tasks], not_mine: [] });
const makeTask = (workstream: string, id: string, change: Partial<Task> = {}) =>
  makeValidTask(id, { workstream, ...change });
const getIds = (tasks: readonly Task[]) => tasks.map(({ id }) => id);

describe('The combined graph of the tasks of all workstreams', () => {
  const TWO = makeValidPlan({
    workstreams: [makeValidWorkstream('api'), makeValidWorkstream('page')],
  });

  it('may have two workstreams that need tasks of each other, if no two tasks wait for each other', () => {
    const joined = joinGraphs(
      TWO,
      new Map([
        [
          'page',
          makeGraph(makeTask('page', 'form', { depends_on: ['route'] }), makeTask('page', 'types')),
        ],
        [
          'api',
          makeGraph(
            makeTask('api', 'route', { depends_on: ['types'] }),
            makeTask('api', 'log', { depends_on: ['form'] }),
          ),
        ],
      ]),
    );
    expect(joined.refused).toEqual([]);
    expect(joined.circle).toEqual([]);
    expect(getIds(joined.tasks)).toEqual(['types', 'route', 'form', 'log']);
  });

  it('is refused with the names of the tasks that wait for each other in a circle', () => {
    const joined = joinGraphs(
      TWO,
      new Map([
        ['page', makeGraph(makeTask('page', 'form', { depends_on: ['route'] }))],
        [
          'api',
          makeGraph(
            makeTask('api', 'route', { depends_on: ['form'] }),
            makeTask('api', 'log', { depends_on: ['route'] }),
          ),
        ],
      ]),
    );
    expect(joined.circle).toEqual(['route', 'form']);
    expect(joined.refused).toEqual(['Tasks route and form wait for one another.']);
    expect(joined.ordered).toEqual([]);
    expect(getIds(joined.tasks)).toEqual(['route', 'log', 'form']);
  });

  it('treats a dependency on a workstream as a dependency on all its tasks', () => {
    const api = makeGraph(makeTask('api', 'route'), makeTask('api', 'log'));
    const page = makeGraph(makeTask('page', 'form'));
    const depending = makeValidPlan({
      workstreams: [
        makeValidWorkstream('api'),
        makeValidWorkstream('page', { depends_on: ['api'] }),
      ],
    });
    const byPlan = joinGraphs(
      depending,
      new Map([
        ['api', api],
        ['page', page],
      ]),
    );
    const byTask = joinGraphs(
      TWO,
      new Map([
        ['api', api],
        ['page', makeGraph(makeTask('page', 'form', { depends_on: ['api'] }))],
      ]),
    );
    for (const joined of [byPlan, byTask]) {
      expect(joined.refused).toEqual([]);
      expect(joined.tasks.find(({ id }) => id === 'form')?.depends_on).toEqual(['log', 'route']);
    }
  });

  it('includes the only task of a workstream with the path T4-T5, which the plan contains', () => {
    const joined = joinGraphs(makeValidPlan(), new Map());
    expect(joined).toMatchObject({ refused: [], ordered: [], circle: [] });
    expect(getIds(joined.tasks)).toEqual(['list-task']);
  });

  it('is refused with a sentence for each problem', () => {
    const joined = joinGraphs(
      TWO,
      new Map([
        [
          'api',
          makeGraph(makeTask('api', 'route', { depends_on: ['constructor'], checks: ['lint'] })),
        ],
        [
          'page',
          makeGraph(
            makeTask('api', 'form', { covers: [] }),
            makeTask('page', 'route', { files: ['../x'] }),
          ),
        ],
        ['toString', makeGraph(makeTask('toString'.toLowerCase(), 'odd'))],
      ]),
    );
    expect(joined.refused).toEqual([
      'There is no workstream toString, and it has tasks.',
      'Task route names lint, and there is no such check.',
      'Task form is of workstream page and says api.',
      'There are two tasks route. Ids are of the whole run.',
      'Task route: "../x" leads out of the repository.',
      'Task route depends on constructor, and there is no such task.',
    ]);
    expect(
      joinGraphs(TWO, new Map([['api', makeGraph(makeTask('api', 'route'))]])).refused,
    ).toEqual(['Workstream page has no task.']);
    expect(
      joinGraphs(
        TWO,
        new Map([
          ['api', makeGraph(makeTask('api', 'route'))],
          ['page', makeGraph(makeTask('page', 'form', { covers: [] }))],
        ]),
      ).refused,
    ).toEqual(['No task of workstream page covers R1.']);
  });
});

describe('The order of tasks by files', () => {
  const ONE = makeValidPlan({ workstreams: [makeValidWorkstream('list')] });
  const joinTasks = (...tasks: readonly Task[]) =>
    joinGraphs(ONE, new Map([['list', makeGraph(...tasks)]]));

  it('puts tasks with the same file one after the other', () => {
    const files = ['src/list.js'];
    const { tasks, ordered } = joinTasks(
      makeValidTask('parse', { files }),
      makeValidTask('add', { files }),
      makeValidTask('wire', { files }),
    );
    expect(getIds(tasks)).toEqual(['parse', 'add', 'wire']);
    expect(ordered).toEqual([
      { before: 'parse', after: 'add', file: 'src/list.js' },
      { before: 'add', after: 'wire', file: 'src/list.js' },
    ]);
    expect(startsFrom('wire', tasks, ordered)).toEqual(['add']);
    expect([...findAllBefore('wire', tasks, ordered)].sort()).toEqual(['add', 'parse']);
  });

  it('adds nothing between tasks that dependencies already order', () => {
    const files = ['src/list.js'];
    const { ordered } = joinTasks(
      makeValidTask('last', { files, depends_on: ['middle'] }),
      makeValidTask('middle', { depends_on: ['first'] }),
      makeValidTask('first', { files }),
    );
    expect(ordered).toEqual([]);
  });

  it('compares globs by the paths that they can match', () => {
    const { ordered } = joinTasks(
      makeValidTask('wide', { files: ['src/*.js'] }),
      makeValidTask('one', { files: ['src/a.js'] }),
      makeValidTask('test', { files: ['test/a.test.js'] }),
    );
    expect(ordered).toEqual([{ before: 'wide', after: 'one', file: 'src/a.js' }]);
  });

  it('never lets two tasks use one file at the same time', () => {
    const names = ['a', 'b', 'c', 'd'];
    const files = ['src/x.js', 'src/y.js', 'src/*.js', 'src', 'test/x.js'];
    const makeSquad = (name: string) =>
      fc
        .array(
          fc.record({
            files: fc.subarray(files, { minLength: 1, maxLength: 2 }),
            after: fc.subarray(names.flatMap((other) => [`${other}-0`, `${other}-1`])),
          }),
          { minLength: 1, maxLength: 3 },
        )
        .map((made) =>
          made.map((entry, at) =>
            makeTask(name, `${name}-${at}`, {
              files: entry.files,
              // A task depends only on earlier tasks here, since another test covers circles.
              depends_on: entry.after.filter((id) => id < `${name}-${at}`),
            }),
          ),
        );
    fc.assert(
      fc.property(
        fc.tuple(...names.map(makeSquad)),
        fc.shuffledSubarray(names, { minLength: 4 }),
        (squads, order) => {
          const known = new Set(squads.flat().map(({ id }) => id));
          const sound = squads.map((tasks) =>
            tasks.map((task) => ({
              ...task,
              depends_on: task.depends_on.filter((id) => known.has(id)),
            })),
          );
          const joinInOrder = (inOrder: readonly string[]) =>
            joinGraphs(
              makeValidPlan({ workstreams: inOrder.map((name) => makeValidWorkstream(name)) }),
              new Map(
                inOrder.map((name) => [name, makeGraph(...(sound[names.indexOf(name)] ?? []))]),
              ),
            );
          const joined = joinInOrder(names);
          expect(joinInOrder(order)).toEqual(joined);
          expect(joined.refused).toEqual([]);
          const place = new Map(joined.tasks.map(({ id }, at) => [id, at]));
          for (const { before, after } of joined.ordered)
            expect(place.get(before)).toBeLessThan(place.get(after) ?? -1);
          // Begin all tasks that can begin, again and again until no task is left. Tasks that begin together
          // must have different files.
          let views = joined.tasks.map((task) => makeWaitingTask(task));
          for (let left = views.length; left > 0; ) {
            const now = findReadyTasks(views, joined.ordered);
            expect(now.length).toBeGreaterThan(0);
            for (const [at, { task: one }] of now.entries())
              for (const { task: other } of now.slice(at + 1))
                expect(
                  one.files.some((file) => other.files.some((held) => canOverlap(file, held))),
                ).toBe(false);
            views = views.map((view) => (now.includes(view) ? { ...view, state: 'done' } : view));
            left -= now.length;
          }
        },
      ),
      { seed: 7, numRuns: 150 },
    );
  });
});

describe('A task may begin', () => {
  const first = makeValidTask('first');
  const second = makeValidTask('second', { depends_on: ['first'] });
  const third = makeValidTask('third', { files: ['src/first.js'] });
  const ordered = [{ before: 'first', after: 'third', file: 'src/first.js' }];
  const listReady = (...views: Parameters<typeof findReadyTasks>[0]) =>
    findReadyTasks(views, ordered).map((task) => task.task.id);

  it('when every task before it is done', () => {
    const others = [makeWaitingTask(second), makeWaitingTask(third)];
    expect(listReady(makeWaitingTask(first), ...others)).toEqual(['first']);
    for (const state of ['working', 'red', 'green', 'stuck'] as const)
      expect(listReady(makeWaitingTask(first, { state }), ...others), state).toEqual([]);
    expect(listReady(makeWaitingTask(first, { state: 'done' }), ...others)).toEqual([
      'second',
      'third',
    ]);
  });

  it('after a dropped task if it only shares a file with the dropped task', () => {
    expect(
      listReady(
        makeWaitingTask(first, { state: 'dropped' }),
        makeWaitingTask(second),
        makeWaitingTask(third),
      ),
    ).toEqual(['third']);
  });

  it('unless a running task was granted one of its files', () => {
    const other = makeWaitingTask(makeValidTask('other'), {
      state: 'working',
      files: ['src/other.js', 'src/x.js'],
    });
    const wants = makeWaitingTask(makeValidTask('wants', { files: ['src/x.js'] }));
    expect(listReady(other, wants)).toEqual([]);
    expect(listReady({ ...other, state: 'done' }, wants)).toEqual(['wants']);
    // Of two waiting tasks that may write the same file, only one begins.
    const both = makeWaitingTask(makeValidTask('both'), { files: ['src/both.js', 'src/x.js'] });
    expect(listReady(both, wants)).toEqual(['both']);
  });
});
