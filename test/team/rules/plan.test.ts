/** Tests what code refuses in a plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderById } from '../../../src/protocols/team/rules/order.ts';
import {
  approvalOf,
  checksOf,
  findAllowedGuarded,
  findGuardedHeld,
  findPlanProblems,
  guardedOf,
  listReservedIdProblems,
  problemsInPath,
  testsOf,
} from '../../../src/protocols/team/rules/plan.ts';
import { makeValidPlan, makeValidTask, makeValidWorkstream, SURVEY } from './values.ts';

const findProblems = (change: Parameters<typeof makeValidPlan>[0]): readonly string[] =>
  findPlanProblems(makeValidPlan(change), SURVEY, ['backend-architect']);
/** Returns a T4-T5 workstream with its task. */
const makeShortWorkstream = (id: string, change: Parameters<typeof makeValidTask>[1] = {}) =>
  makeValidWorkstream(id, {
    path: 'T4-T5',
    task: makeValidTask(`${id}-task`, { workstream: id, ...change }),
  });

describe('A plan of a team’s work', () => {
  it('is accepted if nothing is wrong with it', () => {
    expect(findProblems({})).toEqual([]);
    expect(findProblems({ workstreams: [makeValidWorkstream('list', { path: 'T2-T5' })] })).toEqual(
      [],
    );
  });

  it('may say that no team is needed', () => {
    const empty = { requirements: [], checks: [], tests: [] };
    expect(findProblems({ no_team: 'It is there: ls --json.', workstreams: [], ...empty })).toEqual(
      [],
    );
    expect(findProblems({ no_team: 'It is there.' })).toEqual([
      'no_team gives the answer, and there are workstreams. Leave one of the two out.',
    ]);
    expect(findProblems({ workstreams: [], requirements: [], checks: [] })).toEqual([
      'There is no requirement.',
      'There is no workstream, and no_team is empty.',
      'There is no check.',
    ]);
  });

  it('is refused if a requirement, or the reason why no team is needed, says nothing', () => {
    // A model that strung random words together once ended a team's run with `]` as its `no_team`.
    const empty = { requirements: [], checks: [], tests: [] };
    expect(findProblems({ no_team: ']', workstreams: [], ...empty })).toEqual([
      'no_team says nothing. Write a whole sentence.',
    ]);
    const requirements = [{ id: 'R1', text: ' is the', proof: 'read' as const }];
    expect(findProblems({ requirements })).toContain(
      'Requirement R1 says nothing. Write a whole sentence.',
    );
  });

  it('must cover each requirement by a workstream', () => {
    const requirements = [
      { id: 'R1', text: 'The list is short.', proof: 'read' as const },
      { id: 'R2', text: 'It has a count.', proof: 'read' as const },
    ];
    expect(findProblems({ requirements })).toEqual(['No workstream covers R2.']);
    expect(
      findProblems({
        requirements,
        workstreams: [makeValidWorkstream('list', { path: 'T4-T5', covers: ['R1', 'R2'] })],
      }),
    ).toContain('Task list-task does not cover R2, which workstream list covers.');
    expect(
      findProblems({ workstreams: [makeValidWorkstream('list', { covers: ['R9', 'R1'] })] }),
    ).toEqual(['Workstream list covers R9, and there is no such requirement.']);
  });

  it('is refused if a workstream is called all, which means all workstreams', () => {
    expect(
      listReservedIdProblems(makeValidPlan({ workstreams: [makeValidWorkstream('all')] })),
    ).toEqual([
      'No workstream can be called all, which stands for all of them: name it otherwise.',
    ]);
    expect(listReservedIdProblems(makeValidPlan())).toEqual([]);
  });

  it('is refused if it names a missing check, specialist or workstream', () => {
    expect(
      findProblems({ workstreams: [makeShortWorkstream('list', { checks: ['lint'] })] }),
    ).toEqual(['Task list-task names lint, and there is no such check.']);
    const cast = { tier: 'T4' as const, domain: '' };
    expect(
      findProblems({
        cast: [
          { ...cast, workstream: 'list', specialist: 'backend-architect' },
          { ...cast, workstream: '', specialist: '' },
          { ...cast, workstream: 'constructor', specialist: '__proto__' },
        ],
      }),
    ).toEqual([
      'cast: T4 is given the unknown workstream "constructor".',
      'cast: T4 is given the unknown specialist "__proto__".',
    ]);
    expect(
      findProblems({ workstreams: [makeShortWorkstream('list'), makeShortWorkstream('list')] }),
    ).toEqual(['There are two of workstream list.', 'There are two of task list-task.']);
    expect(
      findProblems({ workstreams: [makeValidWorkstream('list', { depends_on: ['constructor'] })] }),
    ).toEqual(['Workstream list depends on constructor, and there is no such workstream.']);
  });

  it('is refused if workstreams depend on each other in a circle', () => {
    expect(
      findProblems({
        workstreams: [
          makeValidWorkstream('a', { depends_on: ['b'] }),
          makeValidWorkstream('b', { depends_on: ['a'] }),
          makeValidWorkstream('c', { depends_on: ['b'] }),
        ],
      }),
    ).toEqual(['Workstreams a and b wait for one another.']);
    expect(
      findProblems({
        workstreams: [
          makeShortWorkstream('a', { depends_on: ['b-task'] }),
          makeShortWorkstream('b', { depends_on: ['a'] }),
        ],
      }),
    ).toEqual(['Workstreams a and b wait for one another.']);
    expect(
      findProblems({ workstreams: [makeShortWorkstream('a', { depends_on: ['a-task'] })] }),
    ).toEqual(['Workstreams: a waits for itself.']);
  });

  it('must contain the only task of a workstream with the path T4-T5, and no tasks of other workstreams', () => {
    expect(
      findProblems({ workstreams: [makeValidWorkstream('list', { path: 'T4-T5', task: null })] }),
    ).toEqual(['Workstream list goes by T4-T5 and has no task.']);
    expect(
      findProblems({ workstreams: [makeValidWorkstream('list', { task: makeValidTask('one') })] }),
    ).toEqual(['Workstream list goes by T3-T5 and has a task: its squad lead writes tasks.']);
    expect(
      findProblems({ workstreams: [makeValidWorkstream('list', { path: 'T2-T5' })], tiers: [] }),
    ).toEqual(['tiers does not say what T2 is for.', 'tiers does not say what T3 is for.']);
    expect(findProblems({ tiers: [{ tier: 'T2', why: 'It is big.' }] })).toEqual([
      'tiers names T2, and no workstream goes through it.',
    ]);
  });

  it('is refused if a check has no valid command, or a command that the survey does not have as it says', () => {
    const check = { id: 'unit', argv: ['npm', 'test'], env: [], timeout_s: 60, from_survey: true };
    expect(findProblems({ checks: [{ ...check, argv: ['npm', 'run', 'test'] }] })).toEqual([
      'Check unit says that it is from the survey, which has no such arguments.',
    ]);
    expect(findProblems({ checks: [{ ...check, env: [{ name: 'CI', value: '1' }] }] })).toEqual([
      'Check unit says that it is from the survey, which has no such arguments.',
    ]);
    expect(
      findProblems({
        checks: [
          {
            ...check,
            argv: [''],
            env: [{ name: 'A=B', value: '' }],
            timeout_s: 0,
            from_survey: false,
          },
        ],
      }),
    ).toEqual([
      'Check unit names no program.',
      'Check unit: "A=B" is no name of a variable.',
      'Check unit: timeout_s is from 1 to 3600.',
    ]);
  });

  it('is refused if it names files outside the repository', () => {
    expect(
      findProblems({
        workstreams: [makeShortWorkstream('a', { files: ['/etc/passwd', '../a', 'src/../..'] })],
      }),
    ).toEqual([
      'Task a-task: "/etc/passwd" is not relative to the repository.',
      'Task a-task: "../a" leads out of the repository.',
      'Task a-task: "src/../.." leads out of the repository.',
    ]);
    expect(findProblems({ guarded: ['!src'], tests: ['.'] })).toEqual([
      'The plan: "." names no file.',
      'The plan: "!src" is no glob that is known: use *, **, ?, [a-z] and {a,b}.',
    ]);
    for (const path of [
      '',
      ' ',
      './',
      '.git/config',
      'a/.GIT/hooks',
      'c:/x',
      '~/x',
      'a\\b',
      'a\nb',
    ])
      expect(problemsInPath(path, 'It'), path).toHaveLength(1);
    for (const path of ['a', '.gitignore', 'app/[id]/x.ts', 'src/**', 'ä b.ts'])
      expect(problemsInPath(path, 'It'), path).toEqual([]);
  });

  it('is refused if a task changes a test that is not among its files, or does not say why', () => {
    const changes_tests = [{ file: 'test/list.test.js', why: ' ' }];
    expect(findProblems({ workstreams: [makeShortWorkstream('a', { changes_tests })] })).toEqual([
      'Task a-task changes "test/list.test.js" and does not say why.',
      'Task a-task changes "test/list.test.js" and does not hold it.',
    ]);
    expect(
      findProblems({
        workstreams: [
          makeShortWorkstream('a', {
            files: ['src/a.js', 'test'],
            changes_tests: [{ file: 'test/list.test.js', why: 'R1 has another order.' }],
          }),
        ],
      }),
    ).toEqual([]);
  });
});

describe('sorting ids by their dependencies', () => {
  it('returns unsortable ids in a second list', () => {
    const makeNode = (id: string, ...depends_on: string[]) => ({ id, depends_on });
    expect(orderById([makeNode('c', 'b'), makeNode('b', 'a'), makeNode('a', 'gone')])).toEqual({
      order: ['a', 'b', 'c'],
      circle: [],
    });
    expect(
      orderById([makeNode('a'), makeNode('b', 'c'), makeNode('c', 'b'), makeNode('d', 'c')]),
    ).toEqual({
      order: ['a'],
      circle: ['b', 'c', 'd'],
    });
    expect(orderById([makeNode('__proto__', 'constructor'), makeNode('constructor')])).toEqual({
      order: ['constructor', '__proto__'],
      circle: [],
    });
  });

  it('is the same in whatever order the items come', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'constructor'];
    const items = fc.tuple(
      ...ids.map((id) => fc.record({ id: fc.constant(id), depends_on: fc.subarray(ids) })),
    );
    fc.assert(
      fc.property(
        items.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: 6 })),
        ),
        ([all, shuffled]) => {
          const { order, circle } = orderById(all);
          expect(orderById(shuffled)).toEqual({ order, circle });
          expect([...order, ...circle].sort()).toEqual([...ids].sort());
          for (const { id, depends_on } of all)
            for (const before of order.includes(id) ? depends_on : [])
              expect(order.indexOf(before)).toBeLessThan(order.indexOf(id));
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('In a team’s plan,', () => {
  it('a check needs no new approval if its command and variables are the same', () => {
    const [check] = checksOf(makeValidPlan());
    if (check === undefined) throw new Error('no check');
    expect(check).toEqual({ id: 'unit', argv: ['npm', 'test'], env: [], timeoutS: 60 });
    const { digest } = approvalOf(check);
    expect(approvalOf({ ...check, timeoutS: 90 }).digest).toBe(digest);
    expect(approvalOf({ ...check, argv: ['npm', 'test', '--'] }).digest).not.toBe(digest);
    expect(approvalOf({ ...check, env: [{ name: 'CI', value: '1' }] }).digest).not.toBe(digest);
  });

  it('a guarded file is listed for a person’s approval if a task names it, but not if only a wider glob matches it', () => {
    const guarded = ['**/package.json', '.github/**', 'vitest.config.ts'];
    const held = findGuardedHeld(
      [
        { id: 'a', files: ['src/**', '*.ts', 'src'] },
        { id: 'b', files: ['lib/package.json', '.github/workflows/*', '.github'] },
      ],
      guarded,
    );
    expect(held).toEqual([
      { task: 'b', file: 'lib/package.json' },
      { task: 'b', file: '.github/workflows/*' },
      { task: 'b', file: '.github' },
    ]);
    expect(findAllowedGuarded(['src/**', '*.ts', '**'], guarded)).toEqual([]);
  });

  it('guarded files and test files are those that the plan names and those that the survey found', () => {
    expect(guardedOf(makeValidPlan({ guarded: ['ci'] }), SURVEY)).toEqual([
      ...SURVEY.guarded,
      'ci',
    ]);
    expect(testsOf(makeValidPlan({ tests: ['own/**'] }), SURVEY)).toEqual([
      'own/**',
      ...SURVEY.tests,
    ]);
  });
});
