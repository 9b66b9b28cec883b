/**
 * Tests runs with several tasks: what they need from one another, in which order they end, and what their
 * work merges to.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { Workshop } from '../../src/kernel/tools/workshop.ts';
import { TEAM } from '../../src/protocols/team/facts.ts';
import { runUntilCall } from './begun.ts';
import {
  DONE_REPORT,
  getFinalSynthesis,
  isFirstTurn,
  makeToolCalls,
  makeWriter,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

function getItem(asked: ModelRequest): string {
  return asked.about?.items?.[0] ?? '';
}

describe('the further files that a task asks for', () => {
  it('are granted up to the third, except guarded files and files of a parallel task', async () => {
    const tasks = [makeNoteTask('a'), makeNoteTask('b'), makeNoteTask('c', { depends_on: ['a'] })];
    const plan = makeNotesPlan('T3-T5', tasks);
    const wanted: Readonly<Record<string, readonly string[]>> = {
      // The tasks a and b ask for each other's file. Neither task waits for the other: both requests are
      // refused, and both tasks go on without the file.
      a: [notePathOf('b')],
      b: [notePathOf('a')],
      c: [
        notePathOf('a'),
        'src/x.txt',
        'src/y.txt',
        'src/z.txt',
        notePathOf('b'),
        'check.sh',
        '../out',
      ],
    };
    const held = await new TeamRunner(makeNotesRepository()).begin({
      script: makeSoundScript(plan, tasks, {
        work: (asked) =>
          isFirstTurn(asked)
            ? makeToolCalls(
                ...(wanted[getItem(asked)] ?? []).map(
                  (what) => ['needs', { kind: 'file', what, why: 'to do it' }] as const,
                ),
                ['write', { path: notePathOf(getItem(asked)), text: noteTextOf(getItem(asked)) }],
              )
            : DONE_REPORT,
      }),
    });
    expect(held.ending).toEqual({ status: 'done' });
    expect(held.view.amendments.map(({ by, task, files }) => [by, task, ...files])).toEqual([
      ['T4', 'c', notePathOf('a')],
      ['T4', 'c', 'src/x.txt'],
      ['T4', 'c', 'src/y.txt'],
    ]);
    const refused = held.view.refusedNeeds.map(({ task, what, why }) => `${task} ${what} ${why}`);
    expect(refused.sort()).toEqual([
      expect.stringMatching(/^a src\/b\.txt .* held by task b/),
      expect.stringMatching(/^b src\/a\.txt .* held by task a/),
      expect.stringMatching(/^c \.\.\/out .* leads out/),
      expect.stringMatching(/^c check\.sh .* guarded/),
      expect.stringMatching(/^c src\/b\.txt 3 files were granted/),
      expect.stringMatching(/^c src\/z\.txt 3 files were granted/),
    ]);
    // A request for a file uses up no attempt, whether it is granted or refused.
    expect(held.view.tasks.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
  });
});

describe('the tasks of a run', () => {
  const BESIDE = [makeNoteTask('one'), makeNoteTask('two')];
  const SIDE = makeSoundScript(makeNotesPlan('T3-T5', BESIDE), BESIDE);
  const atWork = runUntilCall('work', { script: SIDE }, makeNotesRepository);

  it('start from the commit of the task that they depend on, across workstreams in either direction', async () => {
    const tasks = [
      makeNoteTask('api', { workstream: 'one' }),
      makeNoteTask('page', { workstream: 'two', covers: ['R2'], depends_on: ['api'] }),
      makeNoteTask('docs', { workstream: 'one', depends_on: ['page'] }),
    ];
    const makeWorkstream = (id: string, covers: string[]) => ({
      id,
      goal: `Write the ${id} of notes.`,
      path: 'T3-T5' as const,
      depends_on: [],
      covers,
      retry_multiplier: 1 as const,
      task: null,
    });
    const plan = makeNotesPlan('T3-T5', tasks, {
      workstreams: [makeWorkstream('one', ['R1']), makeWorkstream('two', ['R2'])],
    });
    const held = await new TeamRunner(makeNotesRepository()).begin({
      script: makeSoundScript(plan, tasks),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [api, page, docs] =
      held.view.graphed?.tasks.map(({ id }) =>
        held.view.tasks.find(({ task }) => task.id === id),
      ) ?? [];
    expect(page?.attempts[0]?.started.base).toBe(api?.commit);
    expect(docs?.attempts[0]?.started.base).toBe(page?.commit);
  });

  it('lead to the same commit in whatever order parallel tasks end', async () => {
    const endWith = async (last: string): Promise<TeamRunResult> => {
      const runner = await atWork();
      return runner.resume(runner.run, { script: SIDE, wrapWorkshop: holdBack(runner, last) });
    };
    const [first, second] = [await endWith('one'), await endWith('two')];
    expect([endedTasks(first.facts), endedTasks(second.facts)]).toEqual([
      ['two', 'one'],
      ['one', 'two'],
    ]);
    expect(first.view.delivered?.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(first.view.delivered).toMatchObject({ commit: second.view.delivered?.commit });
  });

  it('are merged, and the task that was merged last is sent back if a check fails on the result', async () => {
    const person = makeNotesRepository();
    person.write(
      'check.sh',
      '[ -f src/left.txt ] && [ -f src/right.txt ] && ! grep -q left src/right.txt && echo torn && exit 1\nexit 0\n',
    );
    person.git('commit', '--quiet', '-a', '-m', 'Hold them together');
    const tasks = [makeNoteTask('left'), makeNoteTask('right', { covers: ['R2'] })];
    const plan = makeNotesPlan('T3-T5', tasks);
    const held = await new TeamRunner(person).begin({
      script: makeSoundScript(plan, tasks, {
        work: (asked) => {
          const isAgain = JSON.stringify(asked.messages).includes('Joined with the rest it is red');
          const text = `${noteTextOf(getItem(asked))}${isAgain ? 'After left.\n' : ''}`;
          return makeWriter({ [notePathOf(getItem(asked))]: text })(asked);
        },
      }),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const [left, right] = held.view.tasks;
    expect(left?.attempts).toHaveLength(1);
    expect(right?.attempts.map(({ judged }) => judged.map(({ green }) => green))).toEqual([
      [true],
      [true],
    ]);
    expect(right?.retried).toMatchObject([{ by: 'T3', why: expect.stringContaining('torn') }]);
    expect(
      held.view.checks.filter(({ kind, exit }) => kind === 'joined' && exit === 1).length,
    ).toBe(2);
  });
});

it('a fork of a team’s run repeats only the call that its change touches, and copies the others', async () => {
  const tasks = [makeNoteTask('one')];
  const script = makeSoundScript(makeNotesPlan('T4-T5', tasks), tasks);
  const runner = new TeamRunner(makeNotesRepository());
  const held = await runner.begin({ script });
  const forked = await runner.begin({
    script,
    parent: held.run,
    config: { changes: [{ from: 'verify/round-1', seat: 't5-1', model: 'test/other' }] },
  });
  expect(forked.ending).toEqual({ status: 'done' });
  expect(forked.models.requests.map(({ task, seat }) => [task, seat.id, seat.model])).toEqual([
    ['team/verify', 't5-1', 'test/other'],
  ]);
  for (const outcome of [held, forked]) expect(getFinalSynthesis(outcome).rehearsal).toBe(false);
  // The parent has paid for the calls that its fork copied. So the section "What it cost" in the fork’s result
  // has only the fork’s own call.
  expect(getFinalSynthesis(held).text).toMatch(
    /\n- T1: 3 calls, .*\n- T4: 2 calls, .*\n- T5: 2 calls, /,
  );
  expect(getFinalSynthesis(forked).text).toMatch(/\n## What it cost\n\n- T5: 1 call, [^\n]*$/);
  expect(forked.view.delivered?.commit).toBe(held.view.delivered?.commit);
  expect(forked.view.delivered?.branch).not.toBe(held.view.delivered?.branch);
  const branches = runner.person.git('branch', '--format=%(refname:short)').trim().split('\n');
  expect(branches).toHaveLength(3);
});

it('a run counts as a rehearsal if one of its seats used placeholder text', async () => {
  const tasks = [makeNoteTask('one')];
  const script = makeSoundScript(makeNotesPlan('T4-T5', tasks), tasks);
  const levels = {
    'fast-cheap': 'rehearsal/panel',
    capable: 'test/some',
    'reasoning-heavy': 'test/heavy',
  };
  const held = await new TeamRunner(makeNotesRepository()).begin({ script, config: { levels } });
  expect(getFinalSynthesis(held).rehearsal).toBe(true);
});

/** Delays the commit of a task until the record says that the other task of the run has ended. */
function holdBack(runner: TeamRunner, held: string): (workshop: Workshop) => Workshop {
  const facts = runner.openStoreForTest();
  const hasOtherEnded = () => endedTasks(facts.facts(runner.run)).some((id) => id !== held);
  return (workshop) => ({
    ...workshop,
    commit: async (wish, signal) => {
      if (wish.message === `Do ${held}`) await expect.poll(hasOtherEnded).toBe(true);
      return workshop.commit(wish, signal);
    },
  });
}

/** Returns the ids of the tasks that ended, in the order of the record. */
function endedTasks(facts: TeamRunResult['facts']): string[] {
  return facts.flatMap((any) => {
    const own = TEAM.own(any);
    return own?.type === 'task.ended' ? [own.task] : [];
  });
}
