/**
 * Tests version 5 of the rules: what is on record against a requirement outweighs a later word, a count
 * over several tests, or another check. By version 4, each of these cases ended as met.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { Task, TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { makeStopped } from '../kernel/scripted-models.ts';
import {
  CHECK as COUNTED,
  isFirstTurn,
  makeOneTaskPlan,
  makePassedVerdict,
  makeScriptedModels,
  makeWordsRepository,
  makeWriter,
  type Script,
  TELL_SOURCE,
  TELL_TEST,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';
import {
  CHECK,
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makePassingVerdict,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const V5 = { version: 5 } as const;

function passAll({ about }: ModelRequest): object {
  const items = [...(about?.items ?? [])];
  return { ...makePassingVerdict([makeNoteTask('one', { covers: items })], items), drops: [] };
}

function holdNotes(
  plan: TeamPlan,
  tasks: readonly Task[],
  script: Script = {},
  answers: Readonly<Record<string, string>> = {},
): Promise<TeamRunResult> {
  const runner = new TeamRunner(makeNotesRepository());
  return runner.begin({
    script: makeSoundScript(plan, tasks, { verify: passAll, 'look-again': passAll, ...script }),
    config: V5,
    answer: runner.makeAnswerer(answers),
  });
}

function statesOf({ view }: TeamRunResult): string[] {
  return view.requirements.map(({ id, state }) => `${id} ${state}`);
}

describe('a check that is to prove a requirement and cannot start', () => {
  const tasks = [makeNoteTask('one')];
  const lint = { ...CHECK, id: 'lint', argv: ['no-such-linter-anywhere'] };
  const plan = makeNotesPlan('T4-T5', tasks, {
    requirements: [{ id: 'R1', text: 'The linter has nothing to say.', proof: 'check' }],
    checks: [CHECK, lint],
  });
  const without = { 'base/not-started': 'without' };

  it('leaves its requirement unproved even if other checks pass, so the person is asked', async () => {
    const held = await holdNotes(plan, tasks, {}, without);
    expect(statesOf(held)).toEqual(['R1 unproved']);
    expect(held.gates.at(-1)).toContain(
      'A check is to show it, and these checks never ran, since they cannot start: lint.',
    );
    expect(held.view.delivered).toBeUndefined();
  });

  it('is noted in the requirement’s evidence as never run, even if a person accepts the requirement as met', async () => {
    const held = await holdNotes(plan, tasks, {}, { ...without, 'verify/': 'take' });
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.requirements[0]?.evidence).toContain('never ran, since it cannot start: lint');
    expect(held.gates.at(-1)).toContain('R1 met, by a person takes it as met: The linter');
  });
});

it('a requirement that an earlier round met is unproved if a later merge fails a check', async () => {
  const tasks = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
  const strict = { ...CHECK, id: 'strict', argv: ['sh', '-c', '! grep -rq WORSE src'] };
  const plan = makeNotesPlan('T3-T5', tasks, { checks: [CHECK, strict] });
  let round = 0;
  const held = await holdNotes(plan, tasks, {
    work: (asked) => {
      const [id = ''] = asked.about?.items ?? [];
      const attempt = asked.about?.turn ?? 1;
      return makeWriter({ [notePathOf(id)]: attempt > 1 ? `WORSE ${attempt}\n` : noteTextOf(id) })(
        asked,
      );
    },
    verify: ({ about, seat }) => {
      if (seat.id === 't5-1') round += 1;
      const items = (about?.items ?? []).map((requirement) => {
        const id = requirement === 'R1' ? 'one' : 'two';
        const met = requirement === 'R1' ? 'yes' : 'no';
        return {
          requirement,
          met,
          path: notePathOf(id),
          quote: noteTextOf(id),
          why: 'it is there',
        };
      });
      return { ...makePassedVerdict({ verdict: 'fail', cause: 'work', items }), drops: [] };
    },
  });
  expect(round).toBe(1);
  expect(held.view.joint[0]?.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'R1 met',
    'R2 unmet',
  ]);
  expect(held.view.checks.findLast(({ kind }) => kind === 'joined')).toMatchObject({ exit: 1 });
  expect(statesOf(held)).toEqual(['R1 unproved', 'R2 unproved']);
  expect(held.ending.status).toBe('failed');
});

it('the person is told for which requirements the tests already pass without the work', async () => {
  const tasks = [makeNoteTask('one')];
  const plan = makeNotesPlan('T4-T5', tasks, {
    requirements: [{ id: 'R1', text: 'The note of R1 is there.', proof: 'test' }],
  });
  const held = await holdNotes(plan, tasks, {
    tests: makeWriter(
      { 'test/first.txt': 'Says nothing.\n' },
      { tests: [{ requirement: 'R1', path: 'test/first.txt', shows: 'it' }], untestable: [] },
    ),
    work: makeWriter({ [notePathOf('one')]: noteTextOf('one') }),
  });
  const asked = held.gates.at(-1);
  expect(held.view.tests[0]?.tests).toMatchObject([{ state: 'vacuous' }]);
  expect(asked).toContain('no test of anybody else fails without the work and passes with it.');
  expect(asked).toContain(
    'No acceptance tests were written for words (R1): those that were do not fail without the work.',
  );
});

const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const makeTest = (name: string, number: number, word: string): string =>
  `test('${name}', () => assert.equal(tell(${number}), '${word}'));\n`;
const IMPORT = "import { tell } from '../src/tell.js';\n\n";
const BLIND = 'test/first.test.js';
const PROBE = {
  requirement: 'R1',
  path: 'test/three.test.js',
  shows: '3 is “three”',
  text: `${HEAD}${IMPORT}${makeTest('tells three', 3, 'three')}`,
};

/** A plan whose check skips the test files that a file of the work names. */
const SKIPPING = makeOneTaskPlan({
  requirements: [{ id: 'R1', text: 'tell(number) says 0, 1, 2 and 3 in words.', proof: 'test' }],
  workstreams: makeOneTaskPlan().workstreams.map((workstream) => ({
    ...workstream,
    task: workstream.task && { ...workstream.task, files: [...workstream.task.files, 'skip.txt'] },
  })),
  checks: [
    {
      ...COUNTED,
      argv: [
        'sh',
        '-c',
        `"${process.execPath}" --test --test-isolation=none $(ls test/*.js | grep -v -f skip.txt)`,
      ],
    },
  ],
});

it('a locked test file that did not run is noticed, even if several tests of another locked file ran', async () => {
  const person = makeWordsRepository();
  person.write('skip.txt', 'no such test\n');
  person.git('add', '.');
  person.git('commit', '--quiet', '-m', 'Skip nothing');
  let attempts = 0;
  const makeVerdict = (more: object = {}) =>
    makePassedVerdict({
      items: [
        {
          requirement: 'R1',
          met: 'yes',
          path: 'src/tell.js',
          why: 'it is told',
          quote: 'export function tell(number)',
        },
      ],
      drops: [],
      ...more,
    });
  const held = await new TeamRunner(person).begin({
    config: V5,
    script: {
      plan: () => SKIPPING,
      critique: () => ({ found: [], plan: SKIPPING }),
      tests: makeWriter(
        { [BLIND]: `${HEAD}${IMPORT}${makeTest('two', 2, 'two')}${makeTest('one', 1, 'one')}` },
        { tests: [{ requirement: 'R1', path: BLIND, shows: 'it tells' }], untestable: [] },
      ),
      work: (asked) => {
        if (isFirstTurn(asked)) attempts += 1;
        if (attempts === 1)
          return makeWriter({ 'src/tell.js': TELL_SOURCE, 'test/tell.test.js': TELL_TEST })(asked);
        return attempts === 2
          ? makeWriter({ 'skip.txt': 'three\n' })(asked)
          : makeWriter({
              'src/tell.js': TELL_SOURCE.replace("'two']", "'two', 'three']"),
              'skip.txt': 'nothing at all\n',
            })(asked);
      },
      verify: ({ seat, about }) =>
        makeVerdict(seat.id === 't5-1' && about?.round === 1 ? { probe: PROBE } : {}),
      'look-again': () => makeVerdict(),
    },
  });
  expect(held.view.tasks[0]?.retried.at(-1)?.why).toContain(
    `${PROBE.path}: locked, and no test of it runs on what was joined`,
  );
  expect(held.ending).toEqual({ status: 'done' });
  const result = held.view.joins.at(-1)?.commit ?? '';
  const last = held.view.checks.findLast(
    ({ on, kind }) => on === result && kind !== 'without-locked',
  );
  expect(last?.counts).toMatchObject({ passed: 5, failed: 0 });
  // While the test was red, the requirement counted as unmet.
  const [first] = held.view.joint;
  expect(first?.requirements[0]).toMatchObject({ id: 'R1', state: 'unmet' });
  const told = first?.requirements[0]?.evidence.filter((entry) => entry.includes(PROBE.path));
  expect(told).toEqual([`the test ${PROBE.path} of t5-1 is red: 3 is “three”`]);
});

it('a resumed team run does not ask a second time for approval of its plan (version 5 of the rules)', async () => {
  const tasks = [makeNoteTask('one')];
  const plan = makeNotesPlan('T4-T5', tasks);
  const script = makeSoundScript(plan, tasks, { verify: passAll, 'look-again': passAll });
  const runner = new TeamRunner(makeNotesRepository());
  const first = await runner.begin({
    config: V5,
    models: makeScriptedModels({
      ...script,
      work: () => {
        runner.stop();
        return makeStopped('');
      },
    }),
  });
  expect(first.ending.status).toBe('stopped');
  const before = runner.gates.filter((gate) => gate.startsWith('approve/'));
  const held = await runner.resume(first.run, { script });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.askedTasks).not.toContain('plan');
  expect(before).toHaveLength(1);
  expect(before[0]).toContain('In all about');
  expect(runner.gates.filter((gate) => gate.startsWith('approve/'))).toEqual(before);
});
