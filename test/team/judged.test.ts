/**
 * Tests judges that are wrong: verifiers, T1 accepting too much, and tests made to pass. The work is done
 * once and verified in copies.
 */
import { describe, expect, it } from 'vitest';
import { runUntilCall } from './begun.ts';
import {
  CHECK,
  DONE_REPORT,
  isFirstTurn,
  makeAcceptance,
  makeCorrection,
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
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const TASKS = [makeNoteTask('one')];
const PLAN = makeNotesPlan('T4-T5', TASKS);

function makeVerdict(met: 'yes' | 'no', quote = noteTextOf('one')) {
  return makePassedVerdict({
    verdict: met === 'yes' ? 'pass' : 'fail',
    items: [{ requirement: 'R1', met, path: notePathOf('one'), quote, why: `it is ${met}` }],
    cause: met === 'yes' ? 'none' : 'work',
  });
}

const done = runUntilCall('verify', { script: makeSoundScript(PLAN, TASKS) }, makeNotesRepository);

async function verifyWork(
  script: Script,
  answers: Record<string, string> = {},
): Promise<TeamRunResult> {
  const runner = await done();
  return runner.resume(runner.run, {
    script: makeSoundScript(PLAN, TASKS, script),
    answer: runner.makeAnswerer({ ...answers, task: 'stop' }),
  });
}

function readStates({ view }: TeamRunResult): string[] {
  return view.joint.map(({ requirements }) => requirements.map(({ state }) => state).join());
}

describe('a verifier', () => {
  it('cannot reject work with an invented quotation', async () => {
    const held = await verifyWork({
      verify: ({ seat }) =>
        seat.id === 't5-1' ? makeVerdict('no', 'return never.there();') : makeVerdict('yes'),
      accept: (asked) => makeAcceptance(asked, 't5-2: yes'),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(readStates(held)).toEqual(['met']);
    expect(held.view.verdicts.map(({ seat, items }) => [seat, items[0]?.found]).sort()).toEqual([
      ['t5-1', false],
      ['t5-2', true],
    ]);
  });

  it.each([
    ['stop', 'failed', 1],
    ['again', 'done', 1],
    ['back: It is in the wrong file.', 'done', 2],
  ])(
    'leaves a requirement unproved if both verifiers invent quotations, and the person decides (“%s”)',
    async (answer, status, attempts) => {
      let asked = 0;
      const held = await verifyWork(
        {
          verify: () => {
            asked += 1;
            if (asked <= 2) return makeVerdict(asked === 1 ? 'yes' : 'no', 'nothing of the kind');
            return makeVerdict('yes');
          },
          'look-again': () => makeVerdict('no', ''),
          work: makeWriter({ [notePathOf('one')]: `${noteTextOf('one')}Once more.\n` }),
        },
        { 'verify/round-1/words/unshown': answer },
      );
      expect(held.ending.status).toBe(status);
      expect(readStates(held)).toEqual(answer === 'stop' ? ['unproved'] : ['unproved', 'met']);
      // The person is asked about the requirement that no verifier could show. Only an answer that begins with
      // `back` gives the task a second attempt.
      expect(held.view.tasks[0]?.attempts).toHaveLength(attempts);
      const gate = held.gates.find((gate) => gate.startsWith('verify/')) ?? '';
      expect(gate).toContain('t5-2: R1: no; no place is named. it is no');
      if (answer === 'stop') {
        expect(held.ending).toMatchObject({ reason: 'no verifier could show whether R1 is met' });
        expect(held.askedTasks).not.toContain('accept');
      }
      if (attempts === 2)
        expect(held.view.tasks[0]?.retried[0]?.why).toBe('R1 is not met: It is in the wrong file.');
    },
  );

  it('is shown the evidence of the other verifier when asked again about a disputed requirement', async () => {
    const held = await verifyWork({
      verify: ({ seat }) => makeVerdict(seat.id === 't5-1' ? 'no' : 'yes'),
      'look-again': () => makeVerdict('yes'),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(readStates(held)).toEqual(['met']);
    const again = held.models.requests.filter(({ task: name }) => name === 'team/look-again');
    expect(again.map(({ seat }) => seat.id).sort()).toEqual(['t5-1', 't5-2']);
    expect(JSON.stringify(again.find(({ seat }) => seat.id === 't5-1')?.messages)).toContain(
      'it is yes',
    );
  });

  it('leaves a requirement unproved by disagreeing with the other verifier a second time', async () => {
    let round = 0;
    const held = await verifyWork({
      verify: ({ seat }) => {
        if (seat.id === 't5-1') round += 1;
        return makeVerdict(seat.id === 't5-1' && round === 1 ? 'no' : 'yes');
      },
      'look-again': ({ seat }) => makeVerdict(seat.id === 't5-1' ? 'no' : 'yes'),
      work: makeWriter({ [notePathOf('one')]: `${noteTextOf('one')}Once more.\n` }),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(readStates(held)).toEqual(['unproved', 'met']);
    expect(held.view.tasks[0]?.retried).toMatchObject([
      { why: expect.stringContaining('R1 is unproved') },
    ]);
  });
});

describe('the goal tier (T1)', () => {
  it('has its plan shown to the person with the number of calls with and without T2, and with and without T3', async () => {
    const deep = makeNotesPlan('T2-T5', TASKS);
    const runner = new TeamRunner(makeNotesRepository());
    await runner.begin({
      script: makeSoundScript(deep, TASKS),
      answer: runner.makeAnswerer({ approve: 'reject' }),
    });
    expect(runner.gates[0]).toMatch(/T2: with it \d+ calls, .*; without it \d+ calls/);
    expect(runner.gates[0]).toMatch(/T3: with it \d+ calls, .*; without it \d+ calls/);
  });

  it('is not asked to accept the work if a requirement is unproved', async () => {
    const tasks = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
    const plan = makeNotesPlan('T3-T5', tasks);
    const needs = [{ kind: 'decision', what: 'which words', why: 'unsaid' }];
    const runner = new TeamRunner(makeNotesRepository());
    const held = await runner.begin({
      script: makeSoundScript(plan, tasks, {
        work: (asked) => {
          const id = asked.about?.items?.[0] ?? '';
          return id === 'two'
            ? { ...DONE_REPORT, status: 'blocked', needs }
            : makeWriter({ [notePathOf(id)]: noteTextOf(id) })(asked);
        },
        correct: (asked) => makeCorrection(asked),
        verify: (asked) =>
          makePassingVerdict(
            [tasks[0] ?? makeNoteTask('one')],
            (asked.about?.items ?? []).slice(0, 1),
          ),
        'look-again': () => ({
          verdict: 'pass',
          items: [],
          defects: [],
          cause: 'none',
          probe: null,
        }),
      }),
      answer: runner.makeAnswerer({ 'task/two': 'drop', task: 'stop' }),
    });
    expect(held.ending.status).toBe('failed');
    expect(held.askedTasks).not.toContain('accept');
    expect(held.view.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'R1 met',
      'R2 unproved',
    ]);
    expect(held.view.delivered).toBeUndefined();
  });
});

describe('a test that passes only because of a trick', () => {
  const STREAM = {
    id: 'words',
    goal: 'Words',
    path: 'T4-T5' as const,
    depends_on: [],
    covers: ['R1'],
    retry_multiplier: 1 as const,
  };
  const WORK = { 'src/tell.js': TELL_SOURCE, 'test/tell.test.js': TELL_TEST };
  const TWO = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.js';

test('adds', () => assert.equal(sum(1, 2), 3));
test('adds nothing', () => assert.equal(sum(1, 0), 1));
`;

  const PLANNED = makeOneTaskPlan({
    workstreams: [
      {
        ...STREAM,
        task: makeTask('tell', [...Object.keys(WORK), 'src/sum.js', 'test/sum.test.js']),
      },
    ],
    checks: [{ ...CHECK, argv: [process.execPath, '--test'] }],
  });
  const planned = { plan: () => PLANNED, critique: () => ({ found: [], plan: PLANNED }) };
  const toBeDone = runUntilCall('work', { script: planned }, (root) => {
    const person = makeWordsRepository(root);
    person.write('test/sum.test.js', TWO);
    person.git('commit', '--quiet', '-a', '-m', 'Test more');
    return person;
  });

  /**
   * Lets the working seat hand in each cheat of `ways`, and then honest work.
   * @returns `refused`: the refused files of each hand-in; `red`: why each red hand-in is red
   */
  async function catchCheats(...ways: readonly (readonly [path: string, text: string])[]) {
    const runner = await toBeDone();
    const original = Object.fromEntries(ways.map(([path]) => [path, runner.person.read(path)]));
    let turn = -1;
    const held = await runner.resume(runner.run, {
      script: {
        work: (asked) => {
          if (!isFirstTurn(asked)) return DONE_REPORT;
          turn += 1;
          const [path, text] = ways[turn] ?? [];
          const all = { ...WORK, ...original, ...(path === undefined ? {} : { [path]: text }) };
          return makeToolCalls(
            ...Object.entries(all).map(([at, to]) => ['write', { path: at, text: to }] as const),
          );
        },
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [attempt, ...others] = held.view.tasks[0]?.attempts ?? [];
    expect(others).toEqual([]);
    expect(attempt?.judged.at(-1)?.green).toBe(true);
    return {
      refused: attempt?.commits.map(({ refused }) =>
        refused.map(({ path, why }) => `${why} ${path}`),
      ),
      red: attempt?.judged.flatMap(({ green, why }) => (green ? [] : [why.join('\n')])),
    };
  }

  it('is noticed if a test script was rewritten in package.json', async () => {
    const makePackage = (more: string) => `{ "type": "module", "scripts": { ${more} } }\n`;
    const { refused } = await catchCheats(
      ['package.json', makePackage('"test": "true"')],
      ['package.json', makePackage('"pretest": "true"')],
    );
    expect(refused).toEqual([
      [expect.stringContaining('package.json')],
      [expect.stringContaining('package.json')],
      [],
    ]);
  });

  it('is noticed if exit(0) was added to the source, or if an old test was changed so that it always passes', async () => {
    const { red } = await catchCheats(
      ['test/sum.test.js', TWO.replace('1, 2), 3', '1, 2), sum(1, 2)')],
      ['src/sum.js', 'process.exit(0);\nexport const sum = (a, b) => a + b;\n'],
    );
    expect(red).toEqual([
      expect.stringContaining('test/sum.test.js'),
      expect.stringContaining('no test ran in test/sum.test.js'),
    ]);
  });
});

it('a verifier’s own test file proves nothing if none of its tests ran', async () => {
  const path = 'test/probe.test.js';
  const makeProbeVerdict = (text: string) =>
    makePassedVerdict({ probe: { path, text, shows: 'two is told' } });
  const held = await new TeamRunner().begin({
    script: {
      verify: ({ seat }) => makeProbeVerdict(seat.id === 't5-1' ? TELL_TEST : 'process.exit(0);\n'),
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const probes = held.view.verdicts.map(({ seat, probe }) => [seat, probe?.state]);
  expect(probes.sort()).toEqual([
    ['t5-1', 'passed'],
    ['t5-2', 'not-run'],
  ]);
});

describe('a requirement of a team’s goal', () => {
  const makeWorkstream = (id: string, covers: string[]) => ({
    id,
    goal: id,
    path: 'T3-T5' as const,
    depends_on: [],
    covers,
    task: null,
    retry_multiplier: 1 as const,
  });
  const tasks = [
    makeNoteTask('one', { workstream: 'first' }),
    makeNoteTask('two', { workstream: 'second', covers: ['R2'] }),
  ];

  /**
   * Holds a run in which the first verification finds both requirements met, but also a defect in the task of
   * the second workstream. This task is then blocked, and the person drops it. `more` lists requirements that
   * the first workstream covers besides R1.
   */
  async function holdWithDrop(more: string[] = []): Promise<TeamRunResult> {
    const plan = makeNotesPlan('T3-T5', tasks, {
      workstreams: [makeWorkstream('first', ['R1', ...more]), makeWorkstream('second', ['R2'])],
    });
    let times = 0;
    const runner = new TeamRunner(makeNotesRepository());
    return runner.begin({
      script: makeSoundScript(plan, tasks, {
        graph: ({ about }) => ({
          tasks: tasks
            .filter(({ workstream }) => workstream === about?.items?.[0])
            .map((task) => (task.id === 'one' ? { ...task, covers: ['R1', ...more] } : task)),
          not_mine: [],
        }),
        work: (asked) => {
          const [id = ''] = asked.about?.items ?? [];
          if (isFirstTurn(asked)) times += 1;
          if (times <= 2) return makeWriter({ [notePathOf(id)]: noteTextOf(id) })(asked);
          const needs = [{ kind: 'decision', what: 'what is clumsy', why: 'unsaid' }];
          return { ...DONE_REPORT, status: 'blocked', needs };
        },
        verify: ({ about }) => {
          const items = about?.items ?? [];
          const why = { path: notePathOf('two'), quote: noteTextOf('two'), why: 'clumsy' };
          const defects = items.includes('R2') && times <= 2 ? [{ task: 'two', ...why }] : [];
          const verdict = defects.length === 0 ? 'pass' : 'fail';
          const place =
            times <= 2 ? tasks : tasks.slice(0, 1).map((task) => ({ ...task, covers: [...items] }));
          return { ...makePassingVerdict(place, items), verdict, defects, cause: 'work' };
        },
      }),
      answer: runner.makeAnswerer({ 'task/two': 'drop' }),
    });
  }

  it('is no longer met if the work for it is dropped later', async () => {
    const held = await holdWithDrop();
    const second = held.view.joint.find(({ workstream }) => workstream === 'second');
    expect(second?.requirements).toMatchObject([{ id: 'R2', state: 'met' }]);
    expect(held.view.tasks.map(({ state }) => state)).toEqual(['done', 'dropped']);
    expect(held.view.requirements.map(({ id, state }) => [id, state])).toEqual([
      ['R1', 'met'],
      ['R2', 'unproved'],
    ]);
    expect(held.ending).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('R2 is unproved'),
    });
    expect(held.view.delivered).toBeUndefined();
  });

  it('can still be met by one workstream if another workstream that covers it was dropped', async () => {
    const held = await holdWithDrop(['R2']);
    expect(held.view.joint.at(-1)).toMatchObject({
      workstream: 'first',
      requirements: [
        { id: 'R1', state: 'met' },
        { id: 'R2', state: 'met' },
      ],
    });
    expect(held.ending).toEqual({ status: 'done' });
  });
});
