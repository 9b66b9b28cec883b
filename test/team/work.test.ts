/** Tests what code does about work that fails. Runs with the same plan share what comes before the work. */
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { runUntilCall } from './begun.ts';
import {
  DONE_REPORT,
  isFirstTurn,
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeToolCalls,
  makeWordsRepository,
  makeWriter,
  type Script,
  TELL_SOURCE,
  TELL_TEST,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';

const STREAM = {
  id: 'words',
  goal: 'Numbers in words',
  path: 'T4-T5' as const,
  depends_on: [],
  covers: ['R1'],
  retry_multiplier: 1 as const,
  task: makeTask('tell', ['src/tell.js', 'test/tell.test.js']),
};

const WORK = { 'src/tell.js': TELL_SOURCE, 'test/tell.test.js': TELL_TEST };

/**
 * A run of one task that has not been worked on yet, and another whose task may change an existing test.
 */
const atWork = runUntilCall('work', {}, makeWordsRepository);
const TEST = 'test/sum.test.js';
const TESTED = makeOneTaskPlan({
  workstreams: [{ ...STREAM, task: makeTask('tell', [...Object.keys(WORK), TEST]) }],
});
const atTests = runUntilCall('work', { script: makeScript(TESTED) }, makeWordsRepository);

function makeScript(plan: TeamPlan): Script {
  return { plan: () => plan, critique: () => ({ found: [], plan }) };
}

async function goOn(script: Script, make = atWork): Promise<TeamRunResult> {
  const runner = await make();
  return runner.resume(runner.run, { script });
}

/** Answers in turn; the last answer repeats. */
function inTurn(...given: readonly ((asked: ModelRequest) => object | undefined)[]) {
  let at = -1;
  return (asked: ModelRequest) => {
    if (isFirstTurn(asked)) at += 1;
    return given[Math.min(at, given.length - 1)]?.(asked);
  };
}

function commitsIn({ view }: TeamRunResult) {
  return view.tasks.flatMap(({ attempts }) =>
    attempts.flatMap((attempt) =>
      attempt.commits.map(({ refused }) => refused.map(({ path, why }) => `${why} ${path}`)),
    ),
  );
}

it('a commit is refused as a whole if it changes a file outside its task', async () => {
  const outside = { ...WORK, 'src/sum.js': 'export const sum = () => 3;\n' };
  const original = 'export function sum(a, b) {\n  return a + b;\n}\n';
  const held = await goOn({
    work: inTurn(makeWriter(outside), makeWriter({ 'src/sum.js': original })),
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(commitsIn(held)).toEqual([['outside src/sum.js'], []]);
  expect(held.view.tasks[0]?.attempts).toHaveLength(1);
  const told = held.models.requests.filter((request) => request.task === 'team/work').at(2);
  expect(JSON.stringify(told?.messages)).toContain(
    'src/sum.js is not among the files of this task',
  );
});

it('work that fails its checks is sent back twice before another attempt', async () => {
  const wrong = makeWriter({ ...WORK, 'src/tell.js': TELL_SOURCE.replace("'two'", "'three'") });
  const held = await goOn({
    work: inTurn(
      wrong,
      makeWriter({ 'src/tell.js': TELL_SOURCE.replace("'two'", "'four'") }),
      wrong,
      makeWriter(WORK),
    ),
  });
  expect(held.ending).toEqual({ status: 'done' });
  const [task] = held.view.tasks;
  expect(task?.attempts.map(({ judged }) => judged.map(({ green }) => green))).toEqual([
    [false, false, false],
    [true],
  ]);
  expect(task?.retried).toMatchObject([
    { attempt: 2, by: 'code', why: expect.stringContaining('tells two') },
  ]);
});

it('a test that is deleted, emptied or skipped is caught', async () => {
  const original = makeWordsRepository().read(TEST);
  const weakenTests = (text: string | undefined) => (asked: ModelRequest) =>
    isFirstTurn(asked)
      ? makeToolCalls(
          ...Object.entries(WORK).map(([path, all]) => ['write', { path, text: all }] as const),
          text === undefined ? ['remove', { path: TEST }] : ['write', { path: TEST, text }],
        )
      : DONE_REPORT;
  const held = await goOn(
    {
      work: inTurn(
        weakenTests(undefined),
        weakenTests(''),
        weakenTests("import { test } from 'node:test';\ntest.skip('adds', () => {});\n"),
        makeWriter({ ...WORK, [TEST]: original }),
      ),
    },
    atTests,
  );
  expect(held.ending).toEqual({ status: 'done' });
  const judged = held.view.tasks[0]?.attempts.map((attempt) =>
    attempt.judged.map(({ green, why }) => [green, why.join('\n')]),
  );
  expect(judged).toEqual([
    [1, 2, 3].map(() => [false, expect.stringContaining(TEST)]),
    [[true, '']],
  ]);
});

it('new tests are refused unless they fail without the work', async () => {
  const vacuous = TELL_TEST.replace("tell(2), 'two'", '1, 1');
  const held = await goOn({
    work: inTurn(makeWriter({ ...WORK, 'test/tell.test.js': vacuous }), makeWriter(WORK)),
  });
  expect(held.ending).toEqual({ status: 'done' });
  const [attempt] = held.view.tasks[0]?.attempts ?? [];
  expect(attempt?.judged.map(({ green, why }) => [green, why.join()])).toEqual([
    [false, 'its new tests pass without the work, so they show nothing of R1'],
    [true, ''],
  ]);
});

it('a task is granted a further file that no task holds, unless the file is guarded', async () => {
  const makeNeed = (what: string) => ['needs', { kind: 'file', what, why: 'to do it' }] as const;
  const held = await goOn({
    work: (asked) =>
      isFirstTurn(asked)
        ? makeToolCalls(
            makeNeed('src/more.js'),
            makeNeed('package.json'),
            ['write', { path: 'src/more.js', text: 'export const MORE = 1;\n' }],
            ...Object.entries(WORK).map(([path, text]) => ['write', { path, text }] as const),
          )
        : DONE_REPORT,
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.amendments).toMatchObject([{ by: 'T4', kind: 'file', files: ['src/more.js'] }]);
  expect(held.view.refusedNeeds).toMatchObject([{ what: 'package.json' }]);
});

it('a task with a wide glob still may not change a guarded file, except one that it names', async () => {
  const files = ['src/**', 'test/**', 'src/package.json'];
  const plan = makeOneTaskPlan({
    guarded: ['**/package.json'],
    workstreams: [{ ...STREAM, task: makeTask('tell', files) }],
  });
  const text = '{ "type": "module" }\n';
  const runner = new TeamRunner();
  const held = await runner.begin({
    script: {
      ...makeScript(plan),
      work: inTurn(
        makeWriter({ ...WORK, 'src/package.json': text, 'test/package.json': text }),
        (asked) =>
          isFirstTurn(asked)
            ? makeToolCalls(['remove', { path: 'test/package.json' }])
            : DONE_REPORT,
      ),
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.tasks.map((task) => task.files)).toEqual([files]);
  expect(commitsIn(held)).toEqual([['guarded test/package.json'], []]);
  const branch = held.view.delivered?.branch ?? '';
  expect(runner.person.git('show', `${branch}:src/package.json`)).toBe(text);
});

it('an acceptance test finds a fault that every other test misses', async () => {
  const plan = makeOneTaskPlan({
    workstreams: [{ ...STREAM, retry_multiplier: 2 }],
  });
  const blind = TELL_TEST.replace("tell(2), 'two'", "tell(1), 'one'").replace(
    'tells two',
    'tells one',
  );
  const careless =
    "export function tell(number) {\n  return number === 2 ? ['zero', 'one', 'two'][number] : String(number);\n}\n";
  const held = await new TeamRunner().begin({
    script: {
      ...makeScript(plan),
      tests: makeWriter(
        { 'test/blind.test.js': blind },
        {
          tests: [{ requirement: 'R1', path: 'test/blind.test.js', shows: 'one' }],
          untestable: [],
        },
      ),
      work: inTurn(makeWriter({ ...WORK, 'src/tell.js': careless }), makeWriter(WORK)),
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const [attempt] = held.view.tasks[0]?.attempts ?? [];
  expect(attempt?.judged.map(({ green }) => green)).toEqual([false, true]);
  expect(attempt?.judged[0]?.why.join()).toContain('tells one');
});

it('work that fails a verifier’s own test is sent back', async () => {
  const probe = {
    path: 'test/probe.test.js',
    text: TELL_TEST.replace("tell(2), 'two'", "tell(0), 'zero'").replace('tells two', 'tells zero'),
    shows: 'zero is told',
  };
  const wrong = TELL_SOURCE.replace("'zero'", "'nought'");
  const makeItem = (word: string) => ({
    requirement: 'R1',
    met: 'yes',
    path: 'src/tell.js',
    quote: `['${word}', 'one', 'two'][number]`,
    why: 'there',
  });
  let round = 0;
  const held = await goOn({
    work: inTurn(
      makeWriter({ ...WORK, 'src/tell.js': wrong }),
      makeWriter({ 'src/tell.js': TELL_SOURCE }),
    ),
    verify: (asked) => {
      if (asked.seat.id === 't5-1') round += 1;
      return makePassedVerdict({ items: [makeItem(round === 1 ? 'nought' : 'zero')], probe });
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.joint.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
  expect(held.view.tasks[0]?.attempts).toHaveLength(2);
  const [first, second] = held.view.tasks[0]?.attempts ?? [];
  expect(second?.started.base).toBe(first?.commits.at(-1)?.commit);
});

it('if T1 rejects the finished work and names T4 and a task, that task is tried again for T1’s reason', async () => {
  const rejects = {
    decision: 'reject',
    requirements: [{ id: 'R1', met: 'yes', evidence: ['t5-1: yes'] }],
    beyond_goal: [],
    reject: { tier: 'T4', workstream: 'words', tasks: ['tell'], reason: 'it has to say zero too' },
  };
  let times = 0;
  const more = TELL_SOURCE.replace('String(number)', '`many`');
  const held = await goOn({
    work: inTurn(makeWriter(WORK), makeWriter({ 'src/tell.js': more })),
    accept: () => {
      times += 1;
      return times === 1 ? rejects : undefined;
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.accepted.map(({ acceptance }) => acceptance?.decision)).toEqual([
    'reject',
    'accept',
  ]);
  expect(held.view.tasks[0]?.retried).toMatchObject([{ why: expect.stringContaining('zero too') }]);
});
