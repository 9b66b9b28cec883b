/**
 * Tests that known results are not run, asked for or shown again: prompts have green checks in one line,
 * and red ones in full.
 */
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../src/protocols/team/outcome.ts';
import { tellChecks } from '../../src/protocols/team/phases/checks.ts';
import { runUntilCall } from './begun.ts';
import {
  DONE_REPORT,
  getFinalSynthesis,
  isFirstTurn,
  makeCorrection,
  makeOneTaskPlan,
  makeToolCalls,
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
import { makePassingRun } from './rules/values.ts';

const V4 = { version: 4 } as const;
const TASKS = [makeNoteTask('one')];
const PLAN = makeNotesPlan('T4-T5', TASKS);

function textIn({ models }: TeamRunResult, name: string, at = -1): string {
  const asked = models.requests.filter((request) => request.task === `team/${name}`).at(at);
  return (asked?.messages ?? [])
    .flatMap(({ parts, results = [] }) => [
      ...parts.map(({ text }) => text),
      ...results.map(({ text }) => text),
    ])
    .join('\n');
}

describe('results of checks in prompts', () => {
  it('take one line if they are green, all of them together, and include the output if they are red', () => {
    const green = makePassingRun({ output: 'all is well\n' });
    const red = makePassingRun({ exit: 1, output: 'lint: a.js:3 is wrong\n' });
    const all = new Map([
      ['unit', green],
      ['types', makePassingRun({ counts: undefined, output: 'no errors' })],
      ['lint', red],
    ]);
    const { rows, red: printed } = tellChecks(4, all);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^Green: unit \(\d+ passed.*\), types$/);
    expect(rows[1]).toMatch(/^RED: lint: exit 1/);
    expect(printed).toEqual([{ check: 'lint', output: 'lint: a.js:3 is wrong\n' }]);
    // Under version 3 of the rules, prompts have a row for each check, green or red.
    expect(tellChecks(3, all)).toMatchObject({ rows: { length: 3 }, red: [] });
  });

  it('include red output for working seats, verifiers and the planner; the latter two get all green checks in one line', async () => {
    const tasks = [makeNoteTask('one', { checks: ['notes', 'strict'] })];
    const strict = {
      id: 'strict',
      argv: ['sh', '-c', "printf 'loud %s' 'and long'; exit 3"],
      env: [],
      timeout_s: 30,
      from_survey: false,
    };
    const quiet = {
      id: 'quiet',
      argv: ['sh', '-c', "printf 'chat%s' 'ter'"],
      env: [],
      timeout_s: 30,
      from_survey: false,
    };
    const plan = makeNotesPlan('T4-T5', tasks, { checks: [...PLAN.checks, quiet, strict] });
    const held = await new TeamRunner(makeNotesRepository()).begin({
      config: V4,
      script: makeSoundScript(plan, tasks, {
        work: (asked) =>
          isFirstTurn(asked)
            ? makeToolCalls(
                ['write', { path: notePathOf('one'), text: noteTextOf('one') }],
                ['check', { id: 'notes' }],
                ['check', { id: 'strict' }],
              )
            : DONE_REPORT,
        verify: (asked) => ({ ...makePassingVerdict(tasks, asked.about?.items ?? []), drops: [] }),
      }),
    });
    expect(held.ending).toEqual({ status: 'done' });
    const work = textIn(held, 'work');
    expect(work).toContain('It is green.');
    expect(work).toContain('loud and long');
    for (const name of ['verify', 'accept']) {
      const text = textIn(held, name);
      expect(text).toContain('Green: notes, quiet');
      expect(text).toContain('RED: strict: exit 3');
      expect(text).toContain('loud and long');
      expect(text).not.toContain('chatter');
    }
  });
});

describe('an attempt whose seat says that it is blocked', () => {
  const script = makeSoundScript(PLAN, TASKS);
  const atWork = runUntilCall('work', { script, config: V4 }, makeNotesRepository);

  it('runs no check again on a commit that a check has already rejected', async () => {
    const runner = await atWork();
    const say = { ...DONE_REPORT, status: 'blocked' };
    let turns = 0;
    const held = await runner.resume(runner.run, {
      answer: runner.makeAnswerer({ task: 'stop' }),
      script: {
        ...script,
        correct: (asked) => makeCorrection(asked, { test_changes: [] }),
        work: (asked) => {
          turns += 1;
          if (isFirstTurn(asked) && turns === 1)
            return makeToolCalls(['write', { path: notePathOf('one'), text: 'BAD\n' }]);
          return turns === 2
            ? DONE_REPORT
            : { ...say, needs: [{ kind: 'decision', what: 'which', why: 'unsaid' }] };
        },
      },
    });
    const [first] = held.view.tasks[0]?.attempts ?? [];
    // The red check ran a second time on the same commit, to see whether it is flaky.
    expect(first?.checks.filter(({ kind }) => kind === 'commit')).toHaveLength(2);
    expect(first?.judged.map(({ green }) => green)).toEqual([false]);
    expect(first?.commits).toHaveLength(1);
  });
});

it('the final page names the files of every attempt of a task', async () => {
  const tasks = [makeNoteTask('one', { files: [notePathOf('one'), notePathOf('more')] })];
  let looks = 0;
  const held = await new TeamRunner(makeNotesRepository()).begin({
    config: V4,
    script: makeSoundScript(makeNotesPlan('T4-T5', tasks), tasks, {
      work: (asked) =>
        isFirstTurn(asked)
          ? makeToolCalls([
              'write',
              looks === 0
                ? { path: notePathOf('one'), text: noteTextOf('one') }
                : { path: notePathOf('more'), text: 'The rest.\n' },
            ])
          : DONE_REPORT,
      verify: (asked) => {
        looks += 1;
        const yes = makePassingVerdict(tasks, asked.about?.items ?? []) as { items: object[] };
        return looks > 2
          ? { ...yes, drops: [] }
          : {
              ...yes,
              drops: [],
              verdict: 'fail',
              cause: 'work',
              items: yes.items.map((item) => ({ ...item, met: 'no' })),
            };
      },
      correct: (asked) => makeCorrection(asked, { test_changes: [] }),
    }),
  });
  expect(held.ending).toEqual({ status: 'done' });
  const done = getFinalSynthesis(held)
    .text.split('\n')
    .find((row) => row.startsWith('- **one**'));
  expect(done).toContain('src/more.txt, src/one.txt');
});

it('the final page says that no code has checked the planner’s opinion that no team is needed', () => {
  const plan = makeOneTaskPlan({
    no_team: 'It is there.',
    workstreams: [],
    requirements: [],
    checks: [],
  });
  const team = { plan } as unknown as Parameters<typeof pageOf>[1];
  expect(pageOf('Is it there?', team, [], undefined, 4)).toContain(
    'T1 says that no team is needed. Code has not looked whether that is so',
  );
  expect(pageOf('Is it there?', team, [], undefined, 3)).toContain('_No team was needed._');
});
