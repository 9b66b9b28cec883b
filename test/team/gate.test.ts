/**
 * Tests the question about the plan: what it says, and that only a person's yes lets tiers below T1 be
 * asked.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { stopAtGate } from '../kernel/desk.ts';
import { openPersonRepository } from '../workshop/place.ts';
import { runUntilCall } from './begun.ts';
import {
  CHECK,
  getFinalSynthesis,
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeWordsRepository,
  makeWriter,
  type Script,
  type ScriptedAnswer,
  TELL_SOURCE,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';
import { makeNotesPlan, makeNotesRepository, makeNoteTask, makeSoundScript } from './notes.ts';

const SHORT = makeNotesPlan('T4-T5', [makeNoteTask('one')]);

it('a run that should only plan stops after two calls', async () => {
  const runner = new TeamRunner(makeNotesRepository());
  const script = makeSoundScript(SHORT, [makeNoteTask('one')]);
  const planned = await runner.begin({ script, config: { planOnly: true } });
  expect(planned.ending).toMatchObject({ status: 'stopped' });
  expect(planned.askedTasks).toEqual(['plan', 'critique']);
  const held = await runner.resume(planned.run, { script });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.askedTasks).toEqual(['work', 'work', 'verify', 'verify', 'accept']);
});

it('a run stops at the question about its plan if nobody is there', async () => {
  const runner = new TeamRunner(makeNotesRepository());
  runner.person.write('notes.txt', 'not committed\n');
  const script = makeSoundScript(SHORT, [makeNoteTask('one')]);
  const headless = await runner.begin({ script, answer: stopAtGate });
  expect(headless.ending).toMatchObject({ status: 'stopped' });
  const other = { ...SHORT, questions: ['Which language?'] };
  let asked = 0;
  const held = await runner.resume(headless.run, {
    script: { ...script, critique: () => ({ found: [], plan: other }) },
    answer: async (step, question) => {
      runner.gates.push(question.prompt);
      const isPlan = step.startsWith('approve/');
      if (isPlan) asked += 1;
      const answer = isPlan && asked === 1 ? 'amend: Ask me which language.' : question.default;
      return { answer: step === 'base/unboxed' ? 'yes' : answer, by: 'person' };
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.planned.at(-1)).toMatchObject({ by: 'person', wish: 'Ask me which language.' });
  expect(held.view.approved).toMatchObject({ by: 'person', checks: [{ id: 'notes' }] });
  const [first, second] = runner.gates;
  expect(first).toContain('What the team does not see\n  untracked: notes.txt');
  expect(first).toContain('Approving a check approves running what the team writes.');
  expect(second).toContain('Questions for you\n  Which language?');
});

it('a review that names a fault but hands in no changed plan is asked for again, and the plan stays the same if none is found then', async () => {
  const runner = new TeamRunner();
  const found = [{ what: 'It is too deep.', change: 'It is less deep.' }];
  const answers = [
    { found, plan: null },
    { found: [], plan: null },
  ];
  const planned = await runner.begin({
    config: { planOnly: true },
    script: { critique: () => answers.shift() },
  });
  expect(planned.askedTasks).toEqual(['plan', 'critique', 'critique']);
  expect(planned.view.planned.map(({ refused }) => refused)).toEqual([
    [],
    ['found says what is wrong, and plan is null. Hand in the plan with that changed.'],
    [],
  ]);
  expect(planned.view.plan).toEqual(makeOneTaskPlan());
});

it('a run in which no check passes on the starting commit ends before any seat but T1 is asked', async () => {
  const runner = new TeamRunner();
  runner.person.write('src/sum.js', 'export const sum = () => 4;\n');
  runner.person.git('commit', '--quiet', '-a', '-m', 'Break it');
  const held = await runner.begin();
  expect(held.ending).toEqual({ status: 'failed', reason: 'no check is green on the base' });
  expect(held.askedTasks).toEqual(['plan', 'critique']);
  expect(held.gates.at(-1)).toContain('unit is red: adds');
});

it.each([
  [6, 'ends', 'no check is green on the base'],
  [7, 'goes on', undefined],
])(
  'when no check passes and the goal names the failing test, a run under version %d of the rules %s',
  async (version, _what, why) => {
    const runner = new TeamRunner();
    runner.person.write('src/sum.js', 'export const sum = () => 4;\n');
    runner.person.write(
      'test/sum.test.js',
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('sums be told in words', () => assert.equal(sum(1, 2), 3));\n",
    );
    runner.person.git('commit', '--quiet', '-a', '-m', 'Break it');
    const held = await runner.begin({ config: { version: version as 6 | 7 } });
    const { reason } = held.ending as { reason?: string };
    if (why !== undefined) expect(reason).toBe(why);
    else {
      expect(reason).not.toBe('no check is green on the base');
      expect(held.askedTasks.length).toBeGreaterThan(2);
    }
  },
);

it.each([
  ['test/sum.test.js has to pass.', true],
  ['test/words.test.js has to pass.', false],
])(
  'when no check passes, the person is told that the goal names all failing tests only if it names their files: the goal is “%s” (told: %s)',
  async (goal, isNamed) => {
    const runner = new TeamRunner();
    runner.person.write('src/sum.js', 'export const sum = () => 4;\n');
    runner.person.write(
      'test/sum.test.js',
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('sums of two numbers', () => assert.equal(sum(1, 2), 3));\n",
    );
    runner.person.write('test/words.test.js', '');
    runner.person.git('add', '--all');
    runner.person.git('commit', '--quiet', '-m', 'Break it');
    await runner.begin({ goal, config: { version: 7 } });
    const asked = runner.gates.find((gate) => gate.includes('No check is green')) ?? '';
    expect(asked.includes('The goal names all tests that fail.')).toBe(isNamed);
  },
);

it('the question about the plan names a guarded file that a task would change', async () => {
  const runner = new TeamRunner();
  const [workstream] = makeOneTaskPlan().workstreams;
  const plan = makeOneTaskPlan({
    workstreams:
      workstream === undefined
        ? []
        : [{ ...workstream, task: makeTask('tell', ['src/tell.js', 'package.json']) }],
  });
  const held = await runner.begin({
    script: { plan: () => plan, critique: () => ({ found: [], plan }) },
    answer: runner.makeAnswerer({ approve: 'reject' }),
  });
  expect(held.ending).toEqual({ status: 'failed', reason: 'the plan was rejected' });
  expect(held.gates[0]).toContain('tell would change package.json');
});

const GUARDED = makeOneTaskPlan({ guarded: ['rules.txt'] });
const NO = {
  requirement: 'R1',
  met: 'no',
  path: 'src/tell.js',
  why: 'not so',
  quote: 'export function tell(number)',
};
const DESIGN = makePassedVerdict({ verdict: 'fail', items: [NO], cause: 'design' });

/** A run whose work is done, and which T1 plans again if the verifiers say so. */
const done = runUntilCall(
  'verify',
  { script: { plan: () => GUARDED, critique: () => ({ found: [], plan: GUARDED }) } },
  makeWordsRepository,
);

async function resumeWithPlan(
  plan: TeamPlan,
  script: Script,
  answers = {},
): Promise<TeamRunResult> {
  const runner = await done();
  return runner.resume(runner.run, {
    script: { critique: () => ({ found: [], plan }), ...script },
    answer: runner.makeAnswerer(answers),
  });
}

/** Answers as both verifiers: the first time with `first`, then with a pass. */
function answerOnce(first: object): ScriptedAnswer {
  let verified = 0;
  return () => {
    verified += 1;
    return verified <= 2 ? first : makePassedVerdict();
  };
}

it('the goal tier (T1) plans once more if the design is wrong', async () => {
  const held = await resumeWithPlan(GUARDED, {
    verify: answerOnce(DESIGN),
    work: (asked) =>
      JSON.stringify(asked.messages).includes('not so')
        ? makeWriter({ 'src/tell.js': TELL_SOURCE.replace('String(number)', '`many`') })(asked)
        : expect.fail('it is not told what was wrong'),
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.view.planned.map(({ by }) => by)).toEqual(['t1', 'critique', 'replan']);
  expect(held.view.escalations).toMatchObject([{ to: 'T1', cause: 'design' }]);
  expect(held.view.tasks).toMatchObject([{ state: 'done', attempts: [{}, {}] }]);
});

it('a check runs on the starting commit again if its command changes', async () => {
  const argv = [...CHECK.argv, 'test/'];
  const held = await resumeWithPlan(
    makeOneTaskPlan({ checks: [{ ...CHECK, argv }] }),
    { verify: answerOnce(DESIGN) },
    { 'approve/round': 'yes' },
  );
  expect(held.gates.find((gate) => gate.startsWith('approve/round'))).toContain('test/');
  const base = held.view.checks.filter(({ kind }) => kind === 'base');
  expect(base.map((check) => check.argv)).toEqual([CHECK.argv, CHECK.argv, argv, argv]);
});

it('the person is asked before a new plan lets a task change a guarded file', async () => {
  const [workstream] = makeOneTaskPlan().workstreams;
  const wider = makeOneTaskPlan({
    guarded: [],
    workstreams:
      workstream === undefined
        ? []
        : [{ ...workstream, task: makeTask('tell', ['src/**', 'test/**', 'rules.txt']) }],
  });
  const held = await resumeWithPlan(wider, { verify: () => DESIGN });
  expect(held.view.planned.map(({ by }) => by)).toEqual(['t1', 'critique', 'replan']);
  expect(held.ending).toEqual({
    status: 'failed',
    reason: 'a task would change a guarded file, and may not',
  });
  expect(held.gates.at(-1)).toContain('tell: rules.txt');
});

it('after a failed set-up command, the person may stop, try again or go on without what it provides', async () => {
  const setUp = ['sh', '-c', 'echo no such package >&2; exit 4'];
  const runner = new TeamRunner(makeNotesRepository());
  const script = makeSoundScript(SHORT, [makeNoteTask('one')]);
  const stopped = await runner.begin({ script, config: { setUp } });
  expect(stopped.ending).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(
      /^checks cannot have what they need: .* with another --set-up or --provide$/,
    ),
  });
  expect(stopped.askedTasks).toEqual(['plan', 'critique']);
  expect(runner.gates.at(-1)).toContain(
    'the set-up command failed: it ended with 4\n  no such package',
  );
  const said = ['again', 'provide: x; do y', 'provide: nothing'];
  const held = await runner.begin({
    script,
    config: { setUp },
    answer: async (step, question) => {
      runner.gates.push(question.prompt);
      const answer = step.startsWith('base/prepare') ? said.shift() : undefined;
      const isBoxed = step !== 'base/unboxed';
      return { answer: answer ?? (isBoxed ? question.default : 'yes'), by: 'person' };
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(said).toEqual([]);
  expect(runner.gates.filter((gate) => gate.startsWith('Not taken: '))).toHaveLength(1);
});

it('the question about the plan lists what code changed in the first plan, even if the planner (T1) found nothing wrong', async () => {
  const runner = new TeamRunner();
  const held = await runner.begin({
    script: {
      plan: () => makeOneTaskPlan({ no_team: 'One agent would do.' }),
      critique: () => ({ found: [], plan: null }),
    },
    config: { version: 7 },
  });
  const [first, second] = held.view.planned;
  expect([first?.found, second?.found]).toEqual([[], []]);
  expect(first?.mended).toMatchObject([{ change: 'Code keeps the workstreams.' }]);
  const asked = runner.gates[0] ?? '';
  expect(asked).toContain('What code changed in T1’s plan\n  no_team says "One agent would do."');
  expect(asked).not.toContain('What T1 found wrong');
});

const NO_TEAM = makeOneTaskPlan({
  no_team: 'The flag is there: tell --words.',
  workstreams: [],
  requirements: [],
  checks: [],
});

it('the run ends if the plan that T1 changes at the person’s wish says that no team is needed', async () => {
  const runner = new TeamRunner();
  let asked = 0;
  let plans = 0;
  const held = await runner.begin({
    script: {
      critique: () => {
        plans += 1;
        return { found: [], plan: plans === 1 ? makeOneTaskPlan() : NO_TEAM };
      },
    },
    answer: async (step, { prompt }) => {
      runner.gates.push(`${step}\n${prompt}`);
      asked += 1;
      return { answer: asked === 1 ? 'amend: Is it not there?' : 'approve', by: 'person' };
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.gates).toHaveLength(2);
  expect(held.gates.at(-1)).toContain(
    'T1 says that no team is needed: The flag is there: tell --words.',
  );
  expect(getFinalSynthesis(held).text).toContain('_No team was needed._');
});

it('the final page shows what was done if the planner (T1) gives up', async () => {
  const held = await resumeWithPlan(
    { ...NO_TEAM, no_team: 'It cannot be.' },
    { verify: () => DESIGN },
  );
  expect(held.ending).toEqual({ status: 'failed', reason: 'T1 gives up: It cannot be.' });
  const { text } = getFinalSynthesis(held);
  expect(text).not.toContain('No team');
  expect(text).toContain('0 of 1 requirement met. Ended: T1 gives up: It cannot be.');
  expect(text).toContain('**R1 unmet**: tell(2) says “two”.');
  expect(text).toMatch(/\*\*tell\*\* done as [0-9a-f]{12}, 1 attempt: Do tell/);
});

it('a program’s yes does not allow checks to run without a sandbox: a person is asked', async () => {
  const person = makeNotesRepository();
  const bin = join(person.root, 'bin');
  mkdirSync(bin);
  const name = process.platform === 'darwin' ? 'sandbox-exec' : 'bwrap';
  writeFileSync(join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const there = openPersonRepository(person.root, person.folder, {
    ...person.env,
    PATH: `${bin}:${person.env.PATH}`,
  });
  const script = makeSoundScript(SHORT, [makeNoteTask('one')]);
  const runner = new TeamRunner(there);
  const planned = await runner.begin({ script, config: { planOnly: true } });
  expect(planned.view.survey?.sandbox).toBe(name);
  const given = [
    { answer: 'yes', by: 'program' },
    { answer: 'no', by: 'person' },
  ] as const;
  const asked: string[] = [];
  const held = await new TeamRunner(person, runner.database).resume(planned.run, {
    script,
    answer: async (step, question) => {
      if (!step.startsWith('base/unboxed')) return { answer: question.default, by: 'person' };
      asked.push(question.prompt);
      return given[asked.length - 1] ?? { answer: 'no', by: 'person' };
    },
  });
  expect(held.ending).toEqual({
    status: 'stopped',
    reason:
      'checks may not be run without a sandbox: install one (bubblewrap), or begin again with --unsandboxed',
  });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain('Only a person can say that.');
  expect(held.view.checks).toEqual([]);
});
