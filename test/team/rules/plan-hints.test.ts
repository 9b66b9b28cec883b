/** What a planning seat is told beside the reasons why code refuses its plan. */
import { describe, expect, it } from 'vitest';
import { critiqueMessages } from '../../../src/protocols/team/prompts/plan.ts';
import { findPlanProblems } from '../../../src/protocols/team/rules/plan.ts';
import { hintsFor } from '../../../src/protocols/team/rules/plan-hints.ts';
import { makeValidPlan, makeValidTask, makeValidWorkstream, SURVEY } from './values.ts';

const UNITTEST = {
  id: 'check-01',
  argv: ['python3', '-m', 'unittest', 'discover'],
  env: [],
  timeout_s: 600,
};
/** The plan of Qwen2.5-Coder-1.5B for a function mean(numbers), as far as code refuses it. */
const captured = makeValidPlan({
  requirements: [{ id: 'R1', text: 'The function mean(numbers) is in sums.py.', proof: 'check' }],
  tiers: [{ tier: 'T2', why: 'The function is needed and is not in the repository.' }],
  workstreams: [
    makeValidWorkstream('workstream-01', {
      path: 'T4-T5',
      covers: ['R1'],
      task: makeValidTask('workstream-01-01', {
        workstream: 'workstream-01',
        covers: ['R1'],
        files: ['src/sums.py'],
        checks: ['check', 'test'],
      }),
    }),
  ],
  checks: [{ ...UNITTEST, from_survey: true }],
});
const survey = {
  ...SURVEY,
  paths: ['sums.py', 'test_sums.py'],
  checks: [{ ...SURVEY.checks[0], argv: UNITTEST.argv, env: [] } as (typeof SURVEY.checks)[number]],
};

describe('hintsFor, which tells a seat how to correct its plan,', () => {
  it('lists the valid checks, tiers and files if the plan names wrong ones', () => {
    expect(hintsFor(captured, survey)).toEqual([
      "The checks of a task are ids of the plan's checks, which are: check-01.",
      'Every path is T4-T5, so tiers is empty: [].',
      'The repository has no "src/sums.py"; it has "sums.py".',
    ]);
  });

  it('gives hints that make a refused plan valid if they are followed', () => {
    const [stream] = captured.workstreams;
    const own = stream?.task;
    if (stream === undefined || own === undefined || own === null) throw new Error('no task');
    const followed = {
      ...captured,
      tiers: [],
      workstreams: [{ ...stream, task: { ...own, files: ['sums.py'], checks: ['check-01'] } }],
    };
    expect(findPlanProblems(captured, survey, []).length).toBeGreaterThan(0);
    expect(findPlanProblems(followed, survey, [])).toEqual([]);
    expect(hintsFor(followed, survey)).toEqual([]);
  });

  it('names the tiers that the workstreams’ paths need, and the commands that the survey found', () => {
    const wrong = makeValidPlan({
      workstreams: [makeValidWorkstream('list', { path: 'T3-T5' })],
      tiers: [{ tier: 'T2', why: 'It has two domains.' }],
      checks: [{ ...UNITTEST, argv: ['pytest'], from_survey: true }],
    });
    expect(hintsFor(wrong, survey)).toEqual([
      'By the paths of the workstreams, tiers has T3, once each, and no other.',
      'The commands of the survey are: ["python3","-m","unittest","discover"]. Any other has from_survey false.',
    ]);
  });

  it('names workstreams whose path does not fit their task, and lists all workstreams if a dependency is unknown', () => {
    // Qwen2.5-Coder-1.5B, which wrote the plan `captured`, wrote a plan like `wrong` in another run.
    const wrong = makeValidPlan({
      workstreams: [
        makeValidWorkstream('t3-t3', {
          path: 'T3-T5',
          task: makeValidTask('t3-t3-1', { workstream: 't3-t3' }),
        }),
        makeValidWorkstream('t3-t3-3', { path: 'T3-T5', depends_on: ['t3-t3-1'] }),
      ],
    });
    expect(hintsFor(wrong, survey)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^A workstream has path "T4-T5" and a task, .*: t3-t3\.$/),
        'depends_on of a workstream names other workstreams, which are: t3-t3, t3-t3-3.',
      ]),
    );
  });

  it('adds nothing to the prompts of version 5 of the rules, because recorded prompts must not change', () => {
    const promptOf = (edition: number): string =>
      JSON.stringify(
        critiqueMessages({ goal: 'g', survey, specialists: [], seed: 1, edition }, captured, {
          refused: ['Task workstream-01-01 names test, and there is no such check.'],
        }),
      );
    expect(promptOf(5)).not.toContain('which are: check-01');
    expect(promptOf(6)).toContain('which are: check-01');
  });

  it('under version 6 of the rules, adds nothing to the prompt if code accepts the plan', () => {
    const prompt = critiqueMessages(
      { goal: 'g', survey, specialists: [], seed: 1, edition: 6 },
      captured,
    );
    expect(JSON.stringify(prompt)).not.toContain('which are: check-01');
  });

  it('since version 7 of the rules, suggests the right path for a wrong file name even in an accepted plan', () => {
    const promptOf = (edition: number): string =>
      JSON.stringify(
        critiqueMessages({ goal: 'g', survey, specialists: [], seed: 1, edition }, captured),
      );
    expect(promptOf(6)).not.toContain('The repository has no');
    expect(promptOf(7)).toContain(String.raw`The repository has no \"src/sums.py\"; it has`);
  });
});
