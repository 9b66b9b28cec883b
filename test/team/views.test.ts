/**
 * Tests that the SQL views of a team agree with its fold: for the test run, and for generated logs of
 * tasks, plans and verdicts.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import { foldAllTeamFacts, TASK_STATES } from '../../src/protocols/team/fold.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { expectSameInSql } from '../protocols/in-sql.ts';
import { RUN_STARTED, STAGES } from './facts.ts';
import { makePassingRun, makeValidPlan, makeValidTask } from './rules/values.ts';

const recordFacts = (bodies: readonly FactBody[], store = temporaryStore()) => {
  const journal = store.create('team');
  journal.note([...bodies]);
  journal.release();
  expectSameInSql(store, journal.run);
  return foldAllTeamFacts(store.facts(journal.run));
};

it.each(Object.keys(STAGES) as (keyof typeof STAGES)[])(
  'the SQL views contain the same state as the program’s code for a run up to the stage %s',
  (stage) => {
    recordFacts(STAGES[stage]);
  },
);

it('a second plan keeps the states of tasks that both plans have', () => {
  const { tasks, requirements } = recordFacts(STAGES.again);
  expect(tasks.map(({ task: { id }, state, attempts }) => [id, state, attempts.length])).toEqual([
    ['render', 'done', 2],
    ['flag', 'working', 2],
    ['manual', 'waiting', 0],
  ]);
  expect(tasks[0]).toMatchObject({
    brief: 'Sort the rows.',
    files: ['src/render.js', 'src/rows.js'],
    commit: 'c2',
  });
  expect(requirements.map(({ id, state }) => [id, state])).toEqual([
    ['R1', 'met'],
    ['R2', 'unproved'],
  ]);
});

const IDS = ['a', 'b', 'constructor'] as const;
const id = fc.constantFrom(...IDS);
const of = fc.record({ task: id, attempt: fc.integer({ min: 1, max: 3 }) });
const refused = fc.constantFrom<string[]>([], [], [], ['It does not stand.']);
const files = fc.subarray(['x.js', 'y.js', 'z.js']);
const level = fc.constantFrom('fast-cheap' as const, 'capable' as const);

const moves: fc.Arbitrary<FactBody> = fc.oneof(
  fc
    .record({
      refused,
      by: fc.constantFrom('t1' as const, 'replan' as const),
      no_team: fc.constantFrom('', '', 'It cannot be.'),
      requirements: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('R1', 'R2'),
          text: fc.constantFrom('One.', 'Two.'),
          proof: fc.constantFrom('test' as const, 'read' as const),
        }),
        { selector: (requirement) => requirement.id },
      ),
    })
    .map(({ requirements, no_team, ...body }) =>
      fact('team.planned', { plan: makeValidPlan({ requirements, no_team }), found: [], ...body }),
    ),
  fc
    .record({
      refused,
      tasks: fc.uniqueArray(
        fc.record({
          id,
          brief: fc.constantFrom('One.', 'Two.'),
          files: files.filter((paths) => paths.length > 0),
        }),
        { selector: (task) => task.id },
      ),
    })
    .map(({ tasks, ...body }) =>
      fact('team.graphed', {
        tasks: tasks.map(({ id: of, ...change }) => makeValidTask(of, change)),
        ordered: [],
        ...body,
      }),
    ),
  fc.tuple(of, level).map(([on, by]) =>
    fact('task.started', {
      ...on,
      level: by,
      effort: 'high',
      model: 'test/m',
      base: 'b',
      files: [],
    }),
  ),
  fc
    .tuple(of, fc.boolean())
    .map(([on, green]) => fact('task.judged', { ...on, commit: 'c', green, why: [] })),
  fc
    .tuple(of, fc.option(fc.constantFrom('Three.', 'Four.'), { nil: undefined }))
    .map(([on, brief]) =>
      fact('task.retried', {
        ...on,
        by: 'T3',
        why: 'red',
        ...withoutUndefined({ brief }),
      }),
    ),
  fc
    .record(
      {
        task: id,
        state: fc.constantFrom('done' as const, 'dropped' as const, 'stuck' as const),
        commit: fc.constantFrom('c1', 'c2'),
        why: fc.constant('so'),
      },
      { requiredKeys: ['task', 'state'] },
    )
    .map((body) => fact('task.ended', body)),
  fc.tuple(id, files).map(([on, more]) =>
    fact('plan.amended', {
      by: 'code',
      kind: 'file',
      what: 'x',
      why: 'y',
      task: on,
      files: more,
    }),
  ),
  fc.tuple(id, fc.nat()).map(([on, number]) =>
    fact('task.split', {
      task: on,
      by: 'T2',
      ordered: [],
      why: 'too much',
      into: [makeValidTask(`piece-${number}`, { brief: 'A piece.' })],
    }),
  ),
  fc
    .record({
      round: fc.constantFrom(1, 2),
      commit: fc.constantFrom('c', 'd'),
      requirements: fc.array(
        fc.record({
          id: fc.constantFrom('R1', 'R2', '__proto__'),
          state: fc.constantFrom('met' as const, 'unmet' as const),
          evidence: fc.subarray(['one', 'two']),
        }),
        { maxLength: 3 },
      ),
      isAlone: fc.boolean(),
    })
    .map(({ isAlone, ...said }) =>
      fact('verdict.joined', {
        workstream: 'list',
        verdict: 'fail',
        failing: [],
        cause: 'none',
        ...said,
        ...(isAlone ? { alone: true as const } : {}),
      }),
    ),
  fc.tuple(of, fc.boolean()).map(([on, counts]) =>
    fact('check.ran', {
      check: 'unit',
      argv: ['x'],
      kind: 'commit',
      on: 'c',
      ...on,
      ...makePassingRun(counts ? {} : { exit: null, ended: 'time', counts: undefined }),
    }),
  ),
);

it('the SQL views contain the same state as the program’s code for any log of a team', () => {
  const store = temporaryStore();
  fc.assert(
    fc.property(fc.array(moves, { minLength: 10, maxLength: 40, size: 'max' }), (log) => {
      const team = recordFacts([RUN_STARTED, ...log], store);
      const countFacts = (type: FactBody['type']) =>
        log.filter((body) => body.type === type).length;
      expect(team.planned).toHaveLength(countFacts('team.planned'));
      expect(team.checks).toHaveLength(countFacts('check.ran'));
      expect(team.joint).toHaveLength(countFacts('verdict.joined'));
      expect(team.amendments).toHaveLength(countFacts('plan.amended'));
      for (const task of team.tasks) expect(TASK_STATES).toContain(task.state);
    }),
    { seed: 7, numRuns: LONG ? 10_000 : 80 },
  );
}, 600_000);
