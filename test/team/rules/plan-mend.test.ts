/** Contradictions in plans of Qwen2.5-Coder-1.5B that kept two teams from beginning. */
import { describe, expect, it } from 'vitest';
import { findPlanProblems } from '../../../src/protocols/team/rules/plan.ts';
import { mendPlan } from '../../../src/protocols/team/rules/plan-mend.ts';
import { House, planOf } from '../harness.ts';
import { plan, SURVEY, task, workstream } from './values.ts';

const problems = (one: Parameters<typeof findPlanProblems>[0]): readonly string[] =>
  findPlanProblems(one, SURVEY, []);
const stream = (path: 'T4-T5' | 'T2-T5', checks: readonly string[]) =>
  workstream('mean', { path, task: task('mean-1', { workstream: 'mean', checks: [...checks] }) });
const [check] = plan({}).checks;
const only = check === undefined ? [] : [check];
const id = check?.id ?? '';

describe('mendPlan, which corrects a contradictory plan by code,', () => {
  it('keeps the task of a workstream by changing its path to T4-T5, and drops the unused tiers', () => {
    const given = plan({
      workstreams: [stream('T2-T5', [id])],
      tiers: [{ tier: 'T2', why: 'The goal requires an interface designer.' }],
    });
    expect(problems(given)).toContain(
      'Workstream mean goes by T2-T5 and has a task: its squad lead writes tasks.',
    );
    const { plan: mended, mended: what } = mendPlan(given);
    expect(problems(mended)).toEqual([]);
    expect(mended.workstreams[0]).toMatchObject({ path: 'T4-T5', task: { id: 'mean-1' } });
    expect(mended.tiers).toEqual([]);
    expect(what.map(({ change }) => change)).toEqual([
      'Code keeps the task, and the path is T4-T5.',
      'Code leaves it out.',
    ]);
  });

  it('replaces the unknown checks of a task if the plan has only one check', () => {
    const given = plan({
      checks: only,
      workstreams: [stream('T4-T5', ['check', 'test'])],
      tiers: [],
    });
    expect(problems(given).length).toBeGreaterThan(0);
    const { plan: mended, mended: what } = mendPlan(given);
    expect(problems(mended)).toEqual([]);
    expect(mended.workstreams[0]?.task?.checks).toEqual([id]);
    expect(what).toHaveLength(1);
  });

  it('changes nothing if several corrections are possible, or if the plan is valid', () => {
    const two = [...only, ...only.map((one) => ({ ...one, id: 'other' }))];
    const given = plan({ checks: two, workstreams: [stream('T4-T5', ['test'])], tiers: [] });
    expect(mendPlan(given)).toEqual({ plan: given, mended: [] });
    expect(problems(mendPlan(given).plan).length).toBeGreaterThan(0);
    const good = plan({});
    expect(mendPlan(good).plan).toBe(good);
    const squad = plan({ workstreams: [workstream('mean', { path: 'T2-T5' })] });
    expect(mendPlan(squad).plan.workstreams[0]?.path).toBe('T2-T5');
  });
});

describe('a run whose planning seat contradicts itself', () => {
  const [stream] = planOf().workstreams;
  const contradicting = {
    ...planOf(),
    tiers: [{ tier: 'T2' as const, why: 'The goal requires an interface designer.' }],
    workstreams: stream === undefined ? [] : [{ ...stream, path: 'T2-T5' as const }],
  };
  const script = {
    plan: () => contradicting,
    critique: () => ({ found: [], plan: null }),
  };

  it('records the plan as code has corrected it, and what code changed', async () => {
    const { view, facts } = await new House().hold({
      script,
      config: { version: 6, planOnly: true },
    });
    expect(view.plan?.workstreams[0]?.path).toBe('T4-T5');
    const planned = facts.flatMap((one) =>
      one.type === 'team.planned' ? [JSON.stringify(one)] : [],
    );
    expect(planned[0]).toContain('Code keeps the task, and the path is T4-T5.');
    expect(planned[0]).toContain('"refused":[]');
  });

  it('ends because the plan is refused, if the run follows version 5 of the rules', async () => {
    const { ending, view } = await new House().hold({
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
