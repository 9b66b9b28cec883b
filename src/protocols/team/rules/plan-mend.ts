/** Mends contradictions in a plan that leave code no choice, so that nobody is asked again because of them. */
import type { TeamPlan } from '../forms/plan.ts';

/** A change of a plan by code, in the form of what a critique finds. */
interface Mended {
  readonly what: string;
  readonly change: string;
}

/**
 * Corrects contradictions in a plan that have only one solution, and returns what was changed (`mended`):
 * - A workstream with a task of its own gets the path T4-T5, the only path without a task planner.
 * - Tiers that no workstream's path contains are dropped.
 * - A task without an existing check gets the plan's check, if the plan has only one.
 */
export function mendPlan(plan: TeamPlan): {
  readonly plan: TeamPlan;
  readonly mended: readonly Mended[];
} {
  const mended: Mended[] = [];
  const [only, ...others] = plan.checks.map(({ id }) => id);
  const ids = new Set(plan.checks.map(({ id }) => id));
  const workstreams = plan.workstreams.map((one) => {
    if (one.task === null) return one;
    let { path, task } = one;
    if (path !== 'T4-T5') {
      mended.push({
        what: `Workstream ${one.id} goes by ${path} and has a task.`,
        change: 'Code keeps the task, and the path is T4-T5.',
      });
      path = 'T4-T5';
    }
    if (only !== undefined && others.length === 0 && !task.checks.some((id) => ids.has(id))) {
      if (task.checks.length > 0)
        mended.push({
          what: `Task ${task.id} names ${task.checks.join(', ')}, and the plan has no such check.`,
          change: `Code gives it ${only}, the only check of the plan.`,
        });
      task = task.checks.length > 0 ? { ...task, checks: [only] } : task;
    }
    return { ...one, path, task };
  });
  const paths = new Set(workstreams.map(({ path }) => path));
  const isUsed = (tier: string): boolean =>
    paths.has('T2-T5') || (tier === 'T3' && paths.has('T3-T5'));
  const tiers = plan.tiers.filter(({ tier }) => isUsed(tier));
  const unused = new Set(plan.tiers.flatMap(({ tier }) => (isUsed(tier) ? [] : [tier])));
  if (unused.size > 0)
    mended.push({
      what: `tiers names ${[...unused].join(' and ')}, and no workstream goes through it.`,
      change: 'Code leaves it out.',
    });
  return mended.length === 0 ? { plan, mended } : { plan: { ...plan, workstreams, tiers }, mended };
}
