/** Contradictions in plans of Qwen2.5-Coder-1.5B that kept two teams from beginning. */
import { describe, expect, it } from 'vitest';
import { findPlanProblems } from '../../../src/protocols/team/rules/plan.ts';
import { mendPlan } from '../../../src/protocols/team/rules/plan-mend.ts';
import { makeOneTaskPlan, TeamRunner } from '../harness.ts';
import { makeValidPlan, makeValidTask, makeValidWorkstream, SURVEY } from './values.ts';

const findProblems = (plan: Parameters<typeof findPlanProblems>[0]): readonly string[] =>
  findPlanProblems(plan, SURVEY, []);
const makeWorkstream = (path: 'T4-T5' | 'T2-T5', checks: readonly string[]) =>
  makeValidWorkstream('mean', {
    path,
    task: makeValidTask('mean-1', { workstream: 'mean', checks: [...checks] }),
  });
const [check] = makeValidPlan({}).checks;
const only = check === undefined ? [] : [check];
const id = check?.id ?? '';

describe('mendPlan, which corrects a contradictory plan by code,', () => {
  it('changes the path of a workstream that has a task to T4-T5, and removes unused tiers', () => {
    const given = makeValidPlan({
      workstreams: [makeWorkstream('T2-T5', [id])],
      tiers: [{ tier: 'T2', why: 'The goal requires an interface designer.' }],
    });
    expect(findProblems(given)).toContain(
      'Workstream mean goes by T2-T5 and has a task: its squad lead writes tasks.',
    );
    const { plan: mended, mended: what } = mendPlan(given);
    expect(findProblems(mended)).toEqual([]);
    expect(mended.workstreams[0]).toMatchObject({ path: 'T4-T5', task: { id: 'mean-1' } });
    expect(mended.tiers).toEqual([]);
    expect(what.map(({ change }) => change)).toEqual([
      'Code keeps the task, and the path is T4-T5.',
      'Code leaves it out.',
    ]);
  });

  it('replaces unknown checks of a task by the only check of the plan', () => {
    const given = makeValidPlan({
      checks: only,
      workstreams: [makeWorkstream('T4-T5', ['check', 'test'])],
      tiers: [],
    });
    expect(findProblems(given).length).toBeGreaterThan(0);
    const { plan: mended, mended: what } = mendPlan(given);
    expect(findProblems(mended)).toEqual([]);
    expect(mended.workstreams[0]?.task?.checks).toEqual([id]);
    expect(what).toHaveLength(1);
  });

  it('changes nothing if several corrections are possible, or if the plan is valid', () => {
    const two = [...only, ...only.map((check) => ({ ...check, id: 'other' }))];
    const given = makeValidPlan({
      checks: two,
      workstreams: [makeWorkstream('T4-T5', ['test'])],
      tiers: [],
    });
    expect(mendPlan(given)).toEqual({ plan: given, mended: [] });
    expect(findProblems(mendPlan(given).plan).length).toBeGreaterThan(0);
    const good = makeValidPlan({});
    expect(mendPlan(good).plan).toBe(good);
    const squad = makeValidPlan({ workstreams: [makeValidWorkstream('mean', { path: 'T2-T5' })] });
    expect(mendPlan(squad).plan.workstreams[0]?.path).toBe('T2-T5');
  });
});

describe('mendPlan from version 7 of the rules on', () => {
  const known = { survey: SURVEY, specialists: [], mayGiveUp: false };
  /**
   * A plan that the model Qwen2.5-Coder-1.5B wrote when it was asked to mend a function that fails one test.
   */
  const captured = makeValidPlan({
    no_team: 'The goal is to fix the failing test in `test_sums.py` by returning 0.',
    requirements: [
      { id: 'R1', text: 'The goal must be achievable by a change in `sums.py`.', proof: 'test' },
    ],
    tiers: [{ tier: 'T2', why: 'The goal requires modifying a function in `sums.py`.' }],
    workstreams: [
      makeValidWorkstream('t4-t5', {
        path: 'T4-T5',
        depends_on: ['t4-t5'],
        task: makeValidTask('t4-t5-1', {
          workstream: 'sums',
          files: ['src/sums.py'],
          changes_tests: [{ file: 'src/sums.py', why: 'total() should return 0.' }],
          depends_on: ['t4-t5-1'],
          checks: ['t4-t5-1-check1'],
        }),
      }),
    ],
    cast: [{ tier: 'T2', workstream: 't4-t5', domain: 'python', specialist: 'code-reviewer' }],
    checks: [
      {
        id: 't4-t5-1-check1',
        argv: ['python3', '-m', 'unittest', 'discover'],
        env: [],
        timeout_s: 10,
        from_survey: true,
      },
    ],
  });

  it('makes a real model’s plan with seven mistakes valid, and lists each change', () => {
    expect(findProblems(mendPlan(captured).plan)).not.toEqual([]);
    const { plan: mended, mended: what } = mendPlan(captured, known);
    expect(findProblems(mended)).toEqual([]);
    expect(mended).toMatchObject({ no_team: '', cast: [], tiers: [] });
    expect(mended.workstreams[0]).toMatchObject({
      depends_on: [],
      task: { workstream: 't4-t5', depends_on: [] },
    });
    expect(what.map(({ change }) => change)).toEqual([
      'Code keeps the workstreams.',
      'Code leaves that out.',
      'Code takes t4-t5.',
      'Code leaves that out.',
      'Code marks it as a check of the plan.',
      'Code leaves them out.',
      'Code leaves it out.',
    ]);
    expect(what[0]?.what).toContain('The goal is to fix the failing test');
  });

  it('assigns every requirement to the workstream if the plan has only one', () => {
    const second = { id: 'R2', text: 'The sum of nothing is 0.', proof: 'test' as const };
    const given = makeValidPlan({
      requirements: [...makeValidPlan({}).requirements, second],
      workstreams: [makeValidWorkstream('sums', { path: 'T4-T5' })],
      tiers: [],
    });
    const only = mendPlan(given, known).plan.workstreams[0];
    expect(only?.covers).toContain('R2');
    expect(only?.task?.covers).toContain('R2');
    const two = {
      ...given,
      workstreams: [...given.workstreams, makeValidWorkstream('more', { path: 'T4-T5' })],
    };
    expect(mendPlan(two, known).plan.workstreams[0]?.covers).not.toContain('R2');
  });

  it('keeps dependencies on other workstreams, known specialists, and a plan that needs no team', () => {
    const first = makeValidWorkstream('first', { path: 'T4-T5' });
    const later = makeValidWorkstream('later', {
      path: 'T4-T5',
      depends_on: ['first', 'later', 'none'],
    });
    const given = makeValidPlan({ workstreams: [first, later], tiers: [] });
    expect(mendPlan(given, known).plan.workstreams[1]?.depends_on).toEqual(['first', 'none']);
    const specialists = ['reviewer'];
    const kept = mendPlan(captured, { ...known, specialists }).plan;
    expect(kept.cast).toHaveLength(1);
    const answer = makeValidPlan({ no_team: 'Nothing has to be changed.', workstreams: [] });
    expect(mendPlan(answer, known).plan).toBe(answer);
  });

  it('marks a check as found by the survey if the survey has it, whatever the plan says', () => {
    const given = makeValidPlan({
      checks: only.map((check) => ({ ...check, from_survey: false })),
    });
    expect(mendPlan(given, known).plan.checks.map((check) => check.from_survey)).toEqual([true]);
  });

  it('replaces a dependency on a task by a dependency on the workstream of that task', () => {
    const first = makeValidWorkstream('first', { path: 'T4-T5' });
    const later = makeValidWorkstream('later', {
      path: 'T4-T5',
      depends_on: ['first-task', 'first'],
    });
    const given = makeValidPlan({ workstreams: [first, later], tiers: [] });
    expect(findProblems(given)).not.toEqual([]);
    const { plan: mended, mended: what } = mendPlan(given, known);
    expect(mended.workstreams[1]?.depends_on).toEqual(['first']);
    expect(findProblems(mended)).toEqual([]);
    expect(what).toHaveLength(1);
  });

  it('keeps the sentence by which a planner gives up, if giving up is allowed', () => {
    const { plan: mended } = mendPlan(captured, { ...known, mayGiveUp: true });
    expect(mended.no_team).toBe(captured.no_team);
    expect(findProblems(mended)).not.toEqual([]);
  });
});

describe('a run whose planning seat contradicts itself', () => {
  const [stream] = makeOneTaskPlan().workstreams;
  const contradicting = {
    ...makeOneTaskPlan(),
    tiers: [{ tier: 'T2' as const, why: 'The goal requires an interface designer.' }],
    workstreams: stream === undefined ? [] : [{ ...stream, path: 'T2-T5' as const }],
  };
  const script = {
    plan: () => contradicting,
    critique: () => ({ found: [], plan: null }),
  };

  it('records the plan as code has corrected it, and what code changed', async () => {
    const { view, facts } = await new TeamRunner().begin({
      script,
      config: { version: 6, planOnly: true },
    });
    expect(view.plan?.workstreams[0]?.path).toBe('T4-T5');
    const planned = facts.flatMap((fact) =>
      fact.type === 'team.planned' ? [JSON.stringify(fact)] : [],
    );
    expect(planned[0]).toContain('Code keeps the task, and the path is T4-T5.');
    expect(planned[0]).toContain('"refused":[]');
  });

  it('ends because the plan is refused, if the run follows version 5 of the rules', async () => {
    const { ending, view } = await new TeamRunner().begin({
      script,
      config: { version: 5, planOnly: true },
    });
    expect(ending).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('has a task'),
    });
    expect(view.plan?.workstreams[0]?.path).not.toBe('T4-T5');
  });
});
