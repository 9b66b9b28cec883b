/** Says what would be right where code refuses a plan, for the seat that is asked for it again. */
import type { Survey } from '../../../kernel/tools/workshop.ts';
import type { TeamPlan } from '../forms/plan.ts';

/** The most names that a hint lists. */
const MOST_NAMED = 12;

/**
 * Returns sentences that help the planning seat correct a refused plan. They say what would be right: the ids of
 * checks and workstreams, the survey's commands, the tiers that the paths need, the path that fits a task, what the
 * only workstream has to cover, and the right folders of files. Empty if the plan has no such mistake.
 */
export function hintsFor(plan: TeamPlan, survey: Pick<Survey, 'checks' | 'paths'>): string[] {
  const { workstreams, checks, requirements } = plan;
  const tasks = workstreams.flatMap(({ task }) => task ?? []);
  const ids = new Set(checks.map(({ id }) => id));
  const isMissing = tasks.some((task) => task.checks.some((id) => !ids.has(id)));
  const covered = new Set(workstreams.flatMap(({ covers }) => covers));
  const uncovered = requirements.filter(({ id }) => !covered.has(id));
  return [
    ...(isMissing && ids.size > 0
      ? [`The checks of a task are ids of the plan's checks, which are: ${listNames([...ids])}.`]
      : []),
    ...hintsOnPaths(workstreams),
    ...hintsOnTiers(plan),
    ...(checks.some((check) => check.from_survey && !isIn(survey, check))
      ? [
          `The commands of the survey are: ${listNames(survey.checks.map(({ argv }) => JSON.stringify(argv))) || 'none'}. Any other has from_survey false.`,
        ]
      : []),
    ...(uncovered.length > 0 && workstreams.length === 1
      ? [`Workstream ${workstreams[0]?.id ?? ''} is the only one, so it covers every requirement.`]
      : []),
    ...hintsOnFiles(plan, survey),
  ];
}

function hintsOnPaths(workstreams: TeamPlan['workstreams']): string[] {
  const known = workstreams.map(({ id }) => id);
  const mixed = workstreams.filter(({ path, task }) => (path === 'T4-T5') !== (task !== null));
  const isUnknown = workstreams.some(({ depends_on }) =>
    depends_on.some((id) => !known.includes(id)),
  );
  return [
    ...(mixed.length > 0
      ? [
          `A workstream has path "T4-T5" and a task, or another path and task null. Where one task does it, as in most small changes, keep the task and set path to "T4-T5": ${listNames(mixed.map(({ id }) => id))}.`,
        ]
      : []),
    ...(isUnknown
      ? [`depends_on of a workstream names other workstreams, which are: ${listNames(known)}.`]
      : []),
  ];
}

function hintsOnTiers({ tiers, workstreams }: TeamPlan): string[] {
  const paths = new Set(workstreams.map(({ path }) => path));
  const needed = [
    ...(paths.has('T2-T5') ? ['T2'] : []),
    ...(paths.has('T2-T5') || paths.has('T3-T5') ? ['T3'] : []),
  ];
  const isRight =
    tiers.every(({ tier }) => needed.includes(tier)) &&
    needed.every((tier) => tiers.some((entry) => entry.tier === tier && entry.why.trim() !== ''));
  if (isRight) return [];
  return needed.length === 0
    ? ['Every path is T4-T5, so tiers is empty: [].']
    : [
        `By the paths of the workstreams, tiers has ${needed.join(' and ')}, once each, and no other.`,
      ];
}

/**
 * Returns a sentence for each file that a task holds and that the repository only has in another folder. A file
 * whose name occurs in several folders gets none.
 */
export function hintsOnFiles(
  { workstreams }: Pick<TeamPlan, 'workstreams'>,
  { paths }: Pick<Survey, 'paths'>,
): string[] {
  const tasks = workstreams.flatMap(({ task }) => task ?? []);
  const known = new Set(paths);
  const wrong = [...new Set(tasks.flatMap(({ files }) => files))].filter(
    (file) => !known.has(file) && !file.includes('*'),
  );
  return wrong.slice(0, MOST_NAMED).flatMap((file) => {
    const name = nameOf(file);
    const there = paths.filter((path) => nameOf(path) === name);
    const [only] = there;
    return there.length === 1 && only !== undefined
      ? [`The repository has no ${JSON.stringify(file)}; it has ${JSON.stringify(only)}.`]
      : [];
  });
}

function isIn(
  { checks }: Pick<Survey, 'checks'>,
  { argv, env }: TeamPlan['checks'][number],
): boolean {
  const isSame = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  return checks.some((check) => isSame(check.argv, argv) && isSame(check.env, env));
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function listNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
