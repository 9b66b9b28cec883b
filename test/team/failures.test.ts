/**
 * Tests each row of the table "When work fails" in docs/team.md through the whole protocol, with scripted
 * models behind a server, real git and real commands. Runs with the same plan share what comes before the
 * work.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { runUntilCall } from './begun.ts';
import {
  DONE_REPORT,
  isFirstTurn,
  makeCorrection,
  makeWriter,
  type Script,
  TeamRunner,
  type TeamRunOptions,
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
import { LEVEL_MODELS, makeWiredTeam } from './wired.ts';

const ONE = [makeNoteTask('one')];
const TWO = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];

const T4 = makeNotesPlan('T4-T5', ONE);
const T3 = makeNotesPlan('T3-T5', ONE);
const T2 = makeNotesPlan('T2-T5', ONE);

/** A run for each path whose only task has not been worked on yet. */
const atWork = Object.fromEntries(
  [T4, T3, T2].map((plan) => [
    plan.workstreams[0]?.path,
    runUntilCall(
      'work',
      { script: makeSoundScript(plan, ONE), config: { levels: LEVEL_MODELS } },
      makeNotesRepository,
    ),
  ]),
);

async function goOn(
  plan: TeamPlan,
  script: Script,
  given?: TeamRunner,
  more: TeamRunOptions = {},
): Promise<TeamRunResult> {
  const runner = given ?? (await makeRunner(plan));
  const { models } = await makeWiredTeam(makeSoundScript(plan, ONE, script));
  return runner.resume(runner.run, { models, ...more });
}

async function makeRunner(plan: TeamPlan): Promise<TeamRunner> {
  const make = atWork[plan.workstreams[0]?.path ?? ''];
  return make?.() ?? expect.fail('no such path');
}

async function holdRun(
  script: Script,
  more: TeamRunOptions = {},
  runner = new TeamRunner(makeNotesRepository()),
): Promise<TeamRunResult> {
  const { models } = await makeWiredTeam(script);
  return runner.begin({ models, ...more, config: { levels: LEVEL_MODELS, ...more.config } });
}

function getItem(asked: ModelRequest): string {
  return asked.about?.items?.[0] ?? '';
}

/** Answers as a seat that writes this text into its task's file. */
function answerWith(text: string): (asked: ModelRequest) => object | undefined {
  return (asked) => makeWriter({ [notePathOf(getItem(asked))]: text })(asked);
}

/** Answers the attempts of a task in turn; the last answer repeats. */
function answerInTurn(
  ...given: readonly ((asked: ModelRequest) => object | undefined)[]
): (asked: ModelRequest) => object | undefined {
  const at = new Map<string, number>();
  return (asked) => {
    const id = getItem(asked);
    if (isFirstTurn(asked)) at.set(id, (at.get(id) ?? -1) + 1);
    return given[Math.min(at.get(id) ?? 0, given.length - 1)]?.(asked);
  };
}

/** Answers an attempt that is sent back twice and stays red. */
function answerBadly(text: string): readonly ((asked: ModelRequest) => object | undefined)[] {
  return [1, 2, 3].map((time) => answerWith(`${text} BAD ${time}\n`));
}

function answerPartly(text: string, left: string): (asked: ModelRequest) => object | undefined {
  return makeWriter(
    { [notePathOf('one')]: text },
    { ...DONE_REPORT, status: 'partial', left: [left] },
  );
}

const answerWell = (asked: ModelRequest) => answerWith(noteTextOf(getItem(asked)))(asked);

function answerBlocked(what: string): (asked: ModelRequest) => object {
  return () => ({
    ...DONE_REPORT,
    status: 'blocked',
    needs: [{ kind: 'decision', what, why: 'unsaid' }],
  });
}

function makeRefusal(cause: 'work' | 'brief' | 'design', id = 'one'): object {
  const item = {
    requirement: 'R1',
    met: 'no',
    path: notePathOf(id),
    quote: noteTextOf(id),
    why: 'not so',
  };
  return { verdict: 'fail', items: [item], defects: [], cause, probe: null };
}

function readEscalations({ view }: TeamRunResult): string[] {
  return view.escalations.map(({ from, to, cause }) => `${from} ${to} ${cause}`);
}

function readRetries({ view }: TeamRunResult, id = 'one'): string[] {
  const task = view.tasks.find(({ task }) => task.id === id);
  return (task?.retried ?? []).map(
    ({ attempt, by, uncounted }) => `${attempt} ${by}${uncounted ? ' uncounted' : ''}`,
  );
}

describe('a task whose work fails', () => {
  it('is tried again with more effort and then by an abler model', async () => {
    let corrected = 0;
    const held = await goOn(T3, {
      work: answerInTurn(
        ...answerBadly('first'),
        answerPartly('Part of it.\n', 'the rest'),
        answerWell,
      ),
      correct: () => {
        corrected += 1;
        return { brief: `Brief ${corrected}.`, done_when: 'It is there.', why: 'it was unclear' };
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [task] = held.view.tasks;
    expect(task?.attempts.map(({ started: { level, effort } }) => [level, effort])).toEqual([
      ['fast-cheap', 'medium'],
      ['fast-cheap', 'high'],
      ['capable', 'high'],
    ]);
    expect(task?.attempts.map(({ started }) => started.model)).toEqual([
      'openai/fast',
      'openai/fast',
      'openai/capable',
    ]);
    expect(readRetries(held)).toEqual(['2 T3', '3 T3']);
    expect(task?.brief).toBe('Brief 2.\n\nDone when: It is there.');
    expect(held.view.amendments.map(({ by, kind }) => `${by} ${kind}`)).toEqual([
      'T3 brief',
      'T3 brief',
    ]);
    expect(held.view.escalations).toEqual([]);
    // The prompt of the next attempt says what came of the earlier attempts.
    const last = held.models.requests.findLast((asked) => asked.task === 'team/work');
    expect(JSON.stringify(last?.messages)).toContain('Attempt 1 came to nothing');
  });

  it('goes to the next higher tier at once if it is blocked', async () => {
    const runner = await makeRunner(T3);
    const held = await goOn(T3, { work: answerBlocked('which words') }, runner);
    expect(held.ending.status).toBe('failed');
    expect(held.askedTasks.filter((name) => name === 'correct')).toHaveLength(1);
    expect(readEscalations(held)).toEqual(['T3 T1 brief', 'T3 person brief']);
    expect(held.view.tasks).toMatchObject([{ state: 'stuck', attempts: [{}, {}] }]);
    const gate = runner.gates.at(-1) ?? '';
    expect(gate).toContain('which words');
    expect(gate).toContain('Attempt 1 (fast-cheap, medium): decision which words: unsaid');
    expect(gate).toContain('Attempt 2 (fast-cheap, medium): blocked');
    expect(gate).toContain('Attempt 2 was given by T1.');
    expect(gate).toContain('Attempts in this run: 2; its bound is 3.');
  });

  it('starts its next attempt from the part that the last attempt finished', async () => {
    const held = await goOn(T4, {
      work: answerInTurn(answerPartly('a\n', 'b and c'), answerPartly('a\nb\n', 'c'), answerWell),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [task] = held.view.tasks;
    const made = task?.attempts.map(({ commits }) => commits.at(-1)?.commit);
    expect(task?.attempts.map(({ judged }) => judged.at(-1)?.green)).toEqual([true, true, true]);
    expect(task?.attempts.map(({ started }) => started.base)).toEqual([
      held.view.survey?.base,
      made?.[0],
      made?.[1],
    ]);
    expect(readRetries(held)).toEqual(['2 code', '3 code']);
    expect(task?.retried[0]?.why).toContain('b and c');
  });

  it('has its brief corrected by the design tier (T2) at most once, then goes to the person', async () => {
    let verified = 0;
    const held = await goOn(T2, {
      work: answerInTurn(answerWell, answerWith('Once more.\n'), answerWith('And again.\n')),
      verify: () => {
        verified += 1;
        const text = ['', 'The note of one is written.', 'Once more.', 'And again.'];
        const quote = text[Math.ceil(verified / 2)];
        const item = {
          requirement: 'R1',
          met: 'no',
          path: notePathOf('one'),
          quote,
          why: 'not so',
        };
        return { ...makeRefusal('brief'), items: [item] };
      },
      correct: () => ({ brief: 'Another scope.', done_when: '', why: 'two things', tasks: [] }),
    });
    expect(held.ending.status).toBe('failed');
    expect(readEscalations(held)).toEqual(['T3 T2 brief', 'T3 person brief']);
    expect(readRetries(held)).toEqual(['2 T2']);
    expect(held.view.amendments).toMatchObject([{ by: 'T2', kind: 'brief' }]);
    expect(held.view.tasks[0]?.brief).toBe('Another scope.');
  });

  it('is split by the design tier (T2), and the pieces are done first', async () => {
    const tasks = [makeNoteTask('one', { files: ['src/*.txt'] })];
    const plan = makeNotesPlan('T2-T5', tasks);
    const makePiece = (id: string, more: object = {}) => ({
      id,
      title: `Do ${id}`,
      files: [notePathOf(id)],
      depends_on: [],
      covers: [],
      brief: `Only ${id}.`,
      done_when: 'It is there.',
      ...more,
    });
    let cuts = 0;
    const held = await holdRun(
      makeSoundScript(plan, tasks, {
        work: (asked) =>
          getItem(asked) === 'one' && cuts === 0
            ? answerBlocked('fewer files')(asked)
            : answerWell(asked),
        correct: () => {
          cuts += 1;
          return {
            brief: 'What is left.',
            done_when: '',
            why: 'it is too much for one',
            tasks:
              cuts === 1
                ? [makePiece('left', { files: ['etc/left.txt'] })]
                : [makePiece('right', { depends_on: ['left'] }), makePiece('left')],
          };
        },
      }),
    );
    expect(held.ending).toEqual({ status: 'done' });
    expect(cuts).toBe(2);
    const again = held.models.requests.findLast(({ task }) => task === 'team/correct');
    expect(again?.seat.id).toBe('t2-lead');
    expect(JSON.stringify(again?.messages)).toContain(
      'holds etc/left.txt, which one does not hold',
    );
    expect(held.view.tasks.map(({ task: { id }, of: whole, state }) => [id, whole, state])).toEqual(
      [
        ['left', 'one', 'done'],
        ['right', 'one', 'done'],
        ['one', undefined, 'done'],
      ],
    );
    expect(held.view.amendments.map(({ by, kind }) => `${by} ${kind}`)).toEqual([
      'T2 split',
      'T2 brief',
    ]);
    const [left, right, whole] = held.view.tasks;
    expect(right?.attempts[0]?.started.base).toBe(left?.commit);
    expect(whole?.attempts.at(-1)?.started.base).toBe(right?.commit);
    expect(whole?.brief).toBe('What is left.');
    expect(readEscalations(held)).toEqual(['T3 T2 brief']);
  });

  it('is done without a commit of its own if its pieces have done everything', async () => {
    let cuts = 0;
    const held = await goOn(T3, {
      work: (asked) => {
        if (getItem(asked) === 'one')
          return cuts === 0 ? answerBlocked('a smaller one')(asked) : DONE_REPORT;
        return makeWriter({ [notePathOf('one')]: noteTextOf('one') })(asked);
      },
      correct: () => {
        cuts += 1;
        const piece = { id: 'all', title: 'All', files: [notePathOf('one')], depends_on: [] };
        const tasks = [{ ...piece, covers: ['R1'], brief: 'All of it.', done_when: '' }];
        return { brief: 'See that it is there.', done_when: '', why: 'so', tasks };
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(readEscalations(held)).toEqual(['T3 T1 brief']);
    const [all, whole] = held.view.tasks;
    expect(whole?.commit).toBe(all?.commit);
    expect(held.view.amendments).toMatchObject([
      { by: 'T1', kind: 'split' },
      { by: 'T1', kind: 'brief' },
    ]);
  });

  it('is tried again as a whole if code refuses the proposed split', async () => {
    let cuts = 0;
    const held = await goOn(T2, {
      work: (asked) => (cuts === 0 ? answerBlocked('a smaller one')(asked) : answerWell(asked)),
      correct: () => {
        cuts += 1;
        const piece = { title: 'Part', files: [notePathOf('one')], depends_on: [], covers: [] };
        const tasks = ['one', 'two'].map((id) => ({ ...piece, id, brief: 'It.', done_when: '' }));
        return { brief: 'What would be left.', done_when: '', why: 'too much', tasks };
      },
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(cuts).toBe(2);
    const [task] = held.view.tasks;
    expect(held.view.tasks).toHaveLength(1);
    expect(task?.brief).toBe(task?.task.brief);
    expect(task?.retried).toMatchObject([
      {
        by: 'T2',
        refused: [
          'There are two tasks one. Ids are of the whole run.',
          'Task two has the brief of one. Say what is its own.',
        ],
      },
    ]);
  });

  it('leads to a new plan by the goal tier (T1) if the design is wrong', async () => {
    const makeWorkstream = (id: string, own: typeof TWO) => ({
      id,
      goal: id,
      path: 'T4-T5' as const,
      depends_on: [],
      covers: own.flatMap(({ covers }) => covers),
      retry_multiplier: 1 as const,
      task: own[0] ?? null,
    });
    const tasks = [
      makeNoteTask('one', { workstream: 'first' }),
      makeNoteTask('two', { workstream: 'second', covers: ['R2'] }),
    ] as const;
    const both = makeNotesPlan('T4-T5', [...tasks], {
      workstreams: [makeWorkstream('first', [tasks[0]]), makeWorkstream('second', [tasks[1]])],
    });
    const less = {
      ...both,
      requirements: both.requirements.slice(0, 1),
      workstreams: both.workstreams.slice(0, 1),
    };
    let plans = 0;
    let verified = 0;
    const held = await holdRun(
      makeSoundScript(both, tasks, {
        critique: () => {
          plans += 1;
          return { found: [], plan: plans === 1 ? both : less };
        },
        work: answerInTurn(answerWell, answerWith('Another note.\n')),
        verify: (asked) => {
          if (!asked.about?.items?.includes('R1'))
            return makePassingVerdict(tasks, asked.about?.items ?? []);
          verified += 1;
          if (verified <= 2) return makeRefusal('design');
          const text = 'Another note.';
          const item = {
            requirement: 'R1',
            met: 'yes',
            path: notePathOf('one'),
            quote: text,
            why: '',
          };
          return { ...makeRefusal('work'), verdict: 'pass', items: [item], cause: 'none' };
        },
      }),
    );
    expect(held.ending).toEqual({ status: 'done' });
    expect(readEscalations(held)).toEqual(['T4 T1 design']);
    expect(held.view.planned.map(({ by }) => by)).toEqual(['t1', 'critique', 'replan']);
    expect(held.view.amendments).toMatchObject([
      { by: 'T1', kind: 'drop', what: 'workstream second' },
    ]);
    expect(held.view.tasks.map(({ task }) => task.id)).toEqual(['one']);
    expect(held.view.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual(['R1 met']);
  });

  it('goes to the person after too many attempts', async () => {
    const runner = await makeRunner(T3);
    let times = 0;
    const held = await goOn(
      T3,
      {
        work: (asked) => {
          if (isFirstTurn(asked)) times += 1;
          const left = { ...DONE_REPORT, status: 'partial', left: ['the rest'] };
          return makeWriter({ [notePathOf('one')]: `Part ${times}.\n` }, left)(asked);
        },
        correct: (asked) => makeCorrection(asked),
      },
      runner,
    );
    expect(held.ending.status).toBe('failed');
    expect(readRetries(held)).toEqual(['2 T3', '3 T3', '4 T1']);
    expect(readEscalations(held)).toEqual(['T3 T1 work', 'T3 person work']);
    const gate = runner.gates.at(-1) ?? '';
    expect(gate).toContain('the run has had its 3 attempts');
    expect(gate).toContain('Attempts in this run: 4; its bound is 3.');
    for (const number of [1, 2, 3, 4]) expect(gate).toContain(`Attempt ${number} (`);
  });

  it('goes to the person with a list of what was tried if the budget is used up', async () => {
    const runner = await makeRunner(T3);
    const held = await goOn(T3, { work: answerWith('BAD\n') }, runner, {
      limits: { tokens: 8_000 },
    });
    expect(held.ending).toMatchObject({ status: 'stopped' });
    const gate = runner.gates.at(-1) ?? '';
    expect(gate).toMatch(/^budget\//);
    expect(gate).toContain('may pass the budget of 8000.');
    expect(gate).toContain('0 of 1 task done.');
    expect(gate).toContain('Attempt 1 (fast-cheap, medium): notes: exit 1');
    // The run is resumed without the small budget, and goes on where it stopped.
    const resumed = await goOn(T3, {}, runner);
    expect(resumed.ending).toEqual({ status: 'done' });
  });

  it('uses up no attempt if the environment failed', async () => {
    const held = await goOn(T4, {
      work: answerInTurn(answerWith('DIE\n'), answerWith(`FLAKY. ${noteTextOf('one')}`)),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [task] = held.view.tasks;
    expect(readRetries(held)).toEqual(['2 code uncounted']);
    expect(task?.attempts.map(({ judged }) => judged.map(({ green }) => green))).toEqual([
      [false],
      [true],
    ]);
    const twice = held.view.checks.filter(
      ({ kind, flaky: differs }) => kind === 'commit' && differs,
    );
    expect(twice).toHaveLength(1);
  });
});

describe('necessary work that belongs to no task', () => {
  it('is given to a task by the next higher tier, or left out', async () => {
    const plan = makeNotesPlan('T3-T5', ONE);
    let placings = 0;
    const held = await holdRun(
      makeSoundScript(plan, ONE, {
        graph: () => ({
          tasks: ONE,
          not_mine: [
            makeNeed('file', 'src/index.txt'),
            makeNeed('decision', 'another language'),
            makeNeed('file', 'src/other.txt'),
          ],
        }),
        place: () => {
          placings += 1;
          return {
            placed: [
              {
                item: 'N1',
                task: 'one',
                files: ['src/index.txt', ...(placings === 1 ? ['../etc'] : [])],
                what: 'List it in src/index.txt.',
                why: 'it is the only one',
              },
              { item: 'N2', task: '', files: [], what: '', why: 'the goal wants none' },
              { item: 'N4', task: 'one', files: [], what: 'never asked', why: '' },
            ],
          };
        },
        work: writesBoth,
      }),
    );
    const again = held.models.requests.findLast(({ task }) => task === 'team/place');
    expect(JSON.stringify(again?.messages)).toContain('leads out of the repository');
    // The second request leaves N2 out, because the first answer about N2 was valid.
    expect(JSON.stringify(again?.messages)).not.toContain('N2 (');
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.tasks).toMatchObject([
      {
        files: [notePathOf('one'), 'src/index.txt'],
        brief: expect.stringContaining('T1 adds: List it in src/index.txt.'),
      },
    ]);
    expect(held.view.amendments.map(({ by, what }) => `${by} ${what}`)).toEqual([
      'T3 words: src/index.txt',
      'T3 words: another language',
      'T3 words: src/other.txt',
      'T1 src/index.txt, to one',
      'T1 left out: another language',
      'code still nobody’s: src/other.txt',
    ]);
    const branch = held.view.delivered?.branch;
    expect(held.view.delivered?.how).toBe('branch');
    expect(branch).toBeDefined();
  });

  it('needs a person’s approval if it is to change a guarded file', async () => {
    const tasks = [
      makeNoteTask('one', { workstream: 'first' }),
      makeNoteTask('two', { workstream: 'second', covers: ['R2'] }),
    ] as const;
    const makeWorkstream = (id: string, covers: string[], path: 'T4-T5' | 'T3-T5') => ({
      id,
      goal: id,
      path,
      depends_on: [],
      covers,
      retry_multiplier: 1 as const,
      task: path === 'T4-T5' ? tasks[0] : null,
    });
    const plan = makeNotesPlan('T3-T5', [...tasks], {
      workstreams: [
        makeWorkstream('first', ['R1'], 'T4-T5'),
        makeWorkstream('second', ['R2'], 'T3-T5'),
      ],
    });
    const runner = new TeamRunner(makeNotesRepository());
    const held = await holdRun(
      makeSoundScript(plan, tasks, {
        graph: () => ({ tasks: [tasks[1]], not_mine: [makeNeed('file', 'check.sh')] }),
        place: () => ({
          placed: [
            {
              item: 'N1',
              task: 'one',
              files: ['check.sh'],
              what: 'Let it pass.',
              why: 'it is red',
            },
          ],
        }),
      }),
      {},
      runner,
    );
    expect(held.ending).toMatchObject({ status: 'failed' });
    expect(runner.gates.at(-1)).toContain('one: check.sh');
    expect(held.view.tasks.every(({ attempts }) => attempts.length === 0)).toBe(true);
  });
});

function makeNeed(kind: 'file' | 'decision', what: string): object {
  return { kind, what, why: 'it has to be' };
}

function writesBoth(asked: ModelRequest): object | undefined {
  return makeWriter({ [notePathOf('one')]: noteTextOf('one'), 'src/index.txt': 'one\n' })(asked);
}

it('if a task cannot begin, the next higher tier is asked only once', async () => {
  const plan = makeNotesPlan('T4-T5', ONE);
  const runner = new TeamRunner(makeNotesRepository());
  let corrected = 0;
  const held = await holdRun(
    makeSoundScript(plan, ONE, {
      correct: (asked) => {
        corrected += 1;
        if (corrected > 4) runner.stop();
        return makeCorrection(asked);
      },
    }),
    {
      answer: runner.makeAnswerer({ task: 'stop' }),
      wrapWorkshop: (workshop) => ({
        ...workshop,
        join: (commits, message, signal) =>
          message.startsWith('Bring together what one')
            ? Promise.resolve({ done: false, conflicts: ['src/both.txt'] })
            : workshop.join(commits, message, signal),
      }),
    },
    runner,
  );
  const why = 'what it starts from does not go together: src/both.txt changed on both sides';
  expect(held.ending).toEqual({
    status: 'failed',
    reason: `task one: ${why}; T1 was asked about this before`,
  });
  expect(corrected).toBe(1);
  expect(readEscalations(held)).toEqual(['T4 T1 brief', 'T4 person brief']);
  expect(held.view.tasks).toMatchObject([{ state: 'stuck', attempts: [] }]);
});
