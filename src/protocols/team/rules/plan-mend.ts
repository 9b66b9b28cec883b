/** Mends contradictions in a plan that leave code no choice, so that nobody is asked again because of them. */
import type { Survey } from '../../../kernel/tools/workshop.ts';
import { toLine } from '../../../text/line.ts';
import type { Task, TeamPlan, Workstream } from '../forms/plan.ts';

/** A change of a plan by code, in the form of what a critique finds. */
interface Mended {
  readonly what: string;
  readonly change: string;
}

/** What code knows beside the plan. */
interface Known {
  readonly survey: Pick<Survey, 'checks'>;
  /** The slugs of the specialists who can be cast. */
  readonly specialists: readonly string[];
  /** Whether the plan may give up the work: then an answer beside workstreams is not left out. */
  readonly mayGiveUp: boolean;
}

/** The most characters of a text of the plan that a note quotes. */
const MOST_QUOTED = 200;

/**
 * Corrects contradictions in a plan that have only one solution, and returns what was changed (`mended`):
 * - A workstream with a task of its own gets the path T4-T5, the only path without a task planner.
 * - Tiers that no workstream's path contains are dropped.
 * - A task that names only checks that do not exist gets the plan's check, if the plan has only one.
 *
 * Further corrections are made if `known` is given, as from version 7 of the rules on:
 * - An answer in `no_team` is removed if there are workstreams, requirements and checks, and T1 may not give up.
 * - A workstream or task no longer waits for itself. The only workstream of a plan, and its task, wait for nothing.
 * - A workstream that waits for a task of another workstream waits for the whole workstream.
 * - A task names the workstream that contains it.
 * - The only workstream of a plan, and its task, cover every requirement.
 * - A check is marked as from the survey exactly if the survey has its command.
 * - Specialists are removed from the cast if there are none to choose from.
 */
export function mendPlan(
  given: TeamPlan,
  known?: Known,
): {
  readonly plan: TeamPlan;
  readonly mended: readonly Mended[];
} {
  const mended: Mended[] = [];
  const plan = known === undefined ? given : mendMore(given, known, mended);
  const [only, ...others] = plan.checks.map(({ id }) => id);
  const ids = new Set(plan.checks.map(({ id }) => id));
  const workstreams = plan.workstreams.map((workstream) => {
    if (workstream.task === null) return workstream;
    let { path, task } = workstream;
    if (path !== 'T4-T5') {
      mended.push({
        what: `Workstream ${workstream.id} goes by ${path} and has a task.`,
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
    return { ...workstream, path, task };
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
  return mended.length === 0
    ? { plan: given, mended }
    : { plan: { ...plan, workstreams, tiers }, mended };
}

function mendMore(
  given: TeamPlan,
  { survey, specialists, mayGiveUp }: Known,
  mended: Mended[],
): TeamPlan {
  let plan = given;
  const { no_team, workstreams, requirements, checks } = plan;
  const isWhole = workstreams.length > 0 && requirements.length > 0 && checks.length > 0;
  if (no_team.trim() !== '' && isWhole && !mayGiveUp) {
    mended.push({
      what: `no_team says "${toLine(no_team).slice(0, MOST_QUOTED).toWellFormed()}", and there are workstreams.`,
      change: 'Code keeps the workstreams.',
    });
    plan = { ...plan, no_team: '' };
  }
  plan = {
    ...plan,
    workstreams: workstreams.map((workstream) =>
      mendWorkstream(withStreams(workstream, plan, mended), plan, mended),
    ),
    checks: checks.map((check) => {
      const isThere = survey.checks.some((surveyCheck) => isSame(surveyCheck, check));
      if (check.from_survey === isThere) return check;
      mended.push({
        what: isThere
          ? `Check ${check.id} says that it is not from the survey, which has these arguments.`
          : `Check ${check.id} says that it is from the survey, which has no such arguments.`,
        change: `Code marks it as a check of the ${isThere ? 'survey' : 'plan'}.`,
      });
      return { ...check, from_survey: isThere };
    }),
  };
  const cast = plan.cast.filter(({ specialist }) => specialist !== '');
  if (specialists.length > 0 || cast.length === 0) return plan;
  mended.push({
    what: `cast names ${[...new Set(cast.map(({ specialist }) => JSON.stringify(specialist.slice(0, MOST_QUOTED))))].join(', ')}, and there are no specialists.`,
    change: 'Code leaves them out.',
  });
  return { ...plan, cast: plan.cast.filter((member) => !cast.includes(member)) };
}

function mendWorkstream(
  workstream: Workstream,
  { workstreams, requirements }: TeamPlan,
  mended: Mended[],
): Workstream {
  const isOnly = workstreams.length === 1;
  const own = new Set([workstream.id, ...(workstream.task === null ? [] : [workstream.task.id])]);
  const mendWaits = (ids: readonly string[], subject: string): string[] => {
    const kept = isOnly ? [] : ids.filter((id) => !own.has(id));
    if (kept.length < ids.length)
      mended.push({
        what: `${subject} depends on ${ids.filter((id) => !kept.includes(id)).join(', ')}, and ${isOnly ? 'there is nothing else to wait for' : 'nothing waits for itself'}.`,
        change: 'Code leaves that out.',
      });
    return kept;
  };
  // If a plan has only one workstream, let it cover every requirement, since no other can.
  const all = requirements.map(({ id }) => id);
  const mendCovers = (ids: readonly string[], subject: string): string[] => {
    const left = all.filter((id) => !ids.includes(id));
    if (!isOnly || left.length === 0) return [...ids];
    mended.push({
      what: `${subject} does not cover ${left.join(', ')}, and there is no other workstream.`,
      change: 'Code lets it cover every requirement.',
    });
    return [...ids, ...left];
  };
  const { task } = workstream;
  return {
    ...workstream,
    depends_on: mendWaits(workstream.depends_on, `Workstream ${workstream.id}`),
    covers: mendCovers(workstream.covers, `Workstream ${workstream.id}`),
    task: task && {
      ...withWorkstream(task, workstream.id, mended),
      depends_on: mendWaits(task.depends_on, `Task ${task.id}`),
      covers: mendCovers(task.covers, `Task ${task.id}`),
    },
  };
}

/** Lets a workstream wait for other workstreams, where it names their tasks. */
function withStreams(
  workstream: Workstream,
  { workstreams }: TeamPlan,
  mended: Mended[],
): Workstream {
  const known = new Set(workstreams.map(({ id }) => id));
  const ofTask = new Map(workstreams.flatMap(({ id, task }) => (task ? [[task.id, id]] : [])));
  const wrong = workstream.depends_on.filter((id) => !known.has(id) && ofTask.has(id));
  if (wrong.length === 0) return workstream;
  const named = workstream.depends_on.map((id) => (known.has(id) ? id : (ofTask.get(id) ?? id)));
  mended.push({
    what: `Workstream ${workstream.id} depends on ${wrong.join(', ')}, which is a task.`,
    change: 'Code lets it wait for the workstream of that task.',
  });
  return { ...workstream, depends_on: [...new Set(named)] };
}

function withWorkstream(task: Task, id: string, mended: Mended[]): Task {
  if (task.workstream === id) return task;
  mended.push({
    what: `Task ${task.id} stands in workstream ${id} and says ${task.workstream}.`,
    change: `Code takes ${id}.`,
  });
  return { ...task, workstream: id };
}

function isSame(
  surveyCheck: Pick<Survey['checks'][number], 'argv' | 'env'>,
  { argv, env }: TeamPlan['checks'][number],
): boolean {
  return (
    JSON.stringify(surveyCheck.argv) === JSON.stringify(argv) &&
    JSON.stringify(surveyCheck.env) === JSON.stringify(env)
  );
}
