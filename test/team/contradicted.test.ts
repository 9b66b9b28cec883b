/**
 * Tests that a requirement is not reported as met if code's own record contradicts it: by a red check, a
 * dropped task, or a new plan that lacks what was approved.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import { DONE_REPORT, type Script, TeamRunner, type TeamRunResult } from './harness.ts';
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

const V3 = { version: 3 } as const;
const blocked = {
  ...DONE_REPORT,
  status: 'blocked',
  needs: [{ kind: 'decision', what: 'what it is about', why: 'nobody says' }],
};

/** A verifier that says yes to everything, quoting the file of the first task. */
function passAll({ about }: ModelRequest): object {
  const items = [...(about?.items ?? [])];
  return { ...makePassingVerdict([makeNoteTask('one', { covers: items })], items), drops: [] };
}

async function holdRun(
  plan: TeamPlan,
  tasks: Parameters<typeof makeSoundScript>[1],
  script: Script,
  answers: Readonly<Record<string, string>> = {},
): Promise<TeamRunResult> {
  const runner = new TeamRunner(makeNotesRepository());
  return runner.begin({
    script: makeSoundScript(plan, tasks, { verify: passAll, 'look-again': passAll, ...script }),
    config: V3,
    answer: runner.makeAnswerer(answers),
  });
}

function stateOf({ view }: TeamRunResult, id: string): string | undefined {
  return view.requirements.find((requirement) => requirement.id === id)?.state;
}

describe('a team’s requirement', () => {
  it('is not met if its only task was dropped', async () => {
    const tasks = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
    const held = await holdRun(
      makeNotesPlan('T3-T5', tasks),
      tasks,
      {
        work: (asked) =>
          asked.about?.items?.[0] === 'two' ? blocked : makeSoundScript(plan, tasks).work?.(asked),
      },
      { 'task/two': 'drop' },
    );
    expect(held.view.tasks.map(({ state }) => state)).toEqual(['done', 'dropped']);
    expect([stateOf(held, 'R1'), stateOf(held, 'R2')]).toEqual(['met', 'unproved']);
    expect(held.ending).toMatchObject({ reason: expect.stringContaining('R2 is unproved') });
    expect(held.view.delivered).toBeUndefined();
  });

  it('is not met while the check that should prove it fails', async () => {
    const tasks = [makeNoteTask('one')];
    const strict = { ...CHECK, id: 'strict', argv: ['sh', '-c', 'echo strict; exit 1'] };
    const byCheck = makeNotesPlan('T4-T5', tasks, {
      requirements: [{ id: 'R1', text: 'The strict check passes.', proof: 'check' }],
      checks: [CHECK, strict],
    });
    const held = await holdRun(byCheck, tasks, {});
    expect(stateOf(held, 'R1')).toBe('unproved');
    expect(held.gates.at(-1)).toContain(
      'A check is to show it, and what is red on the base is red on the work as well: strict.',
    );
    expect(held.ending).toMatchObject({ status: 'failed', reason: 'no check shows R1' });
    const taken = await holdRun(byCheck, tasks, {}, { 'verify/round-1/words/untested': 'take' });
    expect(taken.ending).toEqual({ status: 'done' });
    expect(taken.view.requirements[0]?.evidence).toContain('red, as on the base: strict');
  });

  it('stays unproved if the author of acceptance tests says that it cannot be tested', async () => {
    const tasks = [makeNoteTask('one')];
    const byTest = makeNotesPlan('T4-T5', tasks, {
      requirements: [{ id: 'R1', text: 'The note of R1 is there.', proof: 'test' }],
    });
    const held = await holdRun(byTest, tasks, {
      tests: () => ({
        tests: [],
        untestable: [{ requirement: 'R1', why: 'it is a matter of taste' }],
      }),
    });
    expect(stateOf(held, 'R1')).toBe('unproved');
    expect(held.gates.at(-1)).toContain('none can show R1: it is a matter of taste');
    expect(held.view.delivered).toBeUndefined();
  });
});

const plan = makeNotesPlan('T3-T5', [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })]);

it('code refuses a repeated plan that leaves out an approved requirement and changes an approved check', async () => {
  const tasks = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
  const weaker: TeamPlan = {
    ...plan,
    requirements: plan.requirements.slice(0, 1),
    workstreams: plan.workstreams.map((workstream) => ({ ...workstream, covers: ['R1'] })),
    checks: [{ ...CHECK, argv: ['true'] }],
  };
  let looked = 0;
  const held = await holdRun(plan, tasks, {
    critique: ({ messages }) =>
      JSON.stringify(messages).includes('It does not hold, because')
        ? { found: [], plan: weaker }
        : { found: [], plan },
    verify: ({ about }) => {
      looked += 1;
      const place = {
        path: notePathOf('one'),
        quote: noteTextOf('one'),
        why: 'it is the wrong note',
      };
      const no = looked <= 2;
      return {
        ...passAll({ about } as ModelRequest),
        ...(no ? { verdict: 'fail', cause: 'design', defects: [{ task: 'one', ...place }] } : {}),
      };
    },
  });
  const again = held.view.planned.filter(({ by }) => by === 'replan');
  expect(again).toHaveLength(2);
  expect(again[1]?.refused).toEqual([
    'R2 is left out or changed: keep its words and its proof, read.',
    'Check notes is left out or changed: keep it as it was approved.',
  ]);
  expect(held.view.plan?.requirements).toHaveLength(2);
  expect(held.view.delivered).toBeUndefined();
});
