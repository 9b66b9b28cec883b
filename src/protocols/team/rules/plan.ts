/** Checks a plan by code: what is refused, and what a person has to be told. */
import { computeDigest } from '../../../kernel/digest.ts';
import type { Check, Survey } from '../../../kernel/tools/workshop.ts';
import { isSupportedGlob, matchesGlob } from '../../../text/globs.ts';
import { hasContent } from '../../../text/words/has-content.ts';
import type { Task, TeamPlan, Workstream } from '../forms/plan.ts';
import { findCircle, orderById, waitingSentence } from './order.ts';

/** An hour in seconds. A check that takes longer has to be approved by a person first. */
const LONGEST_CHECK_S = 3600;

/**
 * Returns a sentence for the planning seat about each problem in a plan; an empty list means that
 * the plan is valid. Problems are, for example, an uncovered requirement, an unknown or repeated id,
 * workstreams that wait for one another, a workstream without the task it needs, a check that differs from
 * the survey, and a path outside the repository.
 * @param specialists the slugs of the specialists who can be cast
 */
export function findPlanProblems(
  plan: TeamPlan,
  survey: Survey,
  specialists: readonly string[],
): readonly string[] {
  const { workstreams, requirements, checks } = plan;
  if (plan.no_team.trim() !== '')
    return workstreams.length === 0
      ? emptyStatements([['no_team', plan.no_team]])
      : ['no_team gives the answer, and there are workstreams. Leave one of the two out.'];
  const tasks = workstreams.flatMap(({ task }) => task ?? []);
  const known = new Set(workstreams.map(({ id }) => id));
  const covered = new Set(workstreams.flatMap(({ covers }) => covers));
  const waits = workstreams.map((workstream) => ({
    id: workstream.id,
    depends_on: waitsFor(workstream, workstreams),
  }));
  const { circle } = orderById(waits);
  return [
    ...(requirements.length === 0 ? ['There is no requirement.'] : []),
    ...(workstreams.length === 0 ? ['There is no workstream, and no_team is empty.'] : []),
    ...(checks.length === 0 ? ['There is no check.'] : []),
    ...emptyStatements([
      ...requirements.map(({ id, text }) => [`Requirement ${id}`, text] as const),
      ...workstreams.map(({ id, goal }) => [`The goal of workstream ${id}`, goal] as const),
    ]),
    ...describeRepeatedIds(requirements, 'requirement'),
    ...describeRepeatedIds(workstreams, 'workstream'),
    ...describeRepeatedIds(tasks, 'task'),
    ...describeRepeatedIds(checks, 'check'),
    ...requirements.flatMap(({ id }) => (covered.has(id) ? [] : [`No workstream covers ${id}.`])),
    ...workstreams.flatMap((workstream) => problemsInWorkstream(workstream, plan, known)),
    ...(circle.length === 0 ? [] : [waitingSentence('Workstreams', findCircle(waits, circle))]),
    ...problemsInTiers(plan),
    ...problemsInCast(plan, known, new Set(specialists)),
    ...checks.flatMap((check) => problemsInCheck(check, survey)),
    ...[...plan.tests, ...plan.guarded].flatMap((glob) => problemsInPath(glob, 'The plan')),
  ];
}

/**
 * The name that facts have in place of a workstream's id if they concern all workstreams together, such as the
 * commit that merges them. From version 5 of the rules on, no workstream may have this name as its id.
 */
export const ALL_WORKSTREAMS = 'all';

/** Returns a list with one sentence if a workstream has the reserved name `all` as its id; otherwise an empty list. */
export function listReservedIdProblems({ workstreams }: TeamPlan): readonly string[] {
  return workstreams.some(({ id }) => id === ALL_WORKSTREAMS)
    ? [
        `No workstream can be called ${ALL_WORKSTREAMS}, which stands for all of them: name it otherwise.`,
      ]
    : [];
}

/**
 * Returns a sentence for each requirement and check that a person approved and that a new plan
 * leaves out or changes. A plan that needs no team may leave out everything.
 */
export function findLostApprovals(plan: TeamPlan, before: TeamPlan): readonly string[] {
  if (plan.no_team.trim() !== '') return [];
  const checks = new Map(checksOf(plan).map((check) => [check.id, approvalOf(check).digest]));
  return [
    ...before.requirements.flatMap(({ id, text, proof }) =>
      plan.requirements.some(
        (requirement) =>
          requirement.id === id && requirement.text === text && requirement.proof === proof,
      )
        ? []
        : [`${id} is left out or changed: keep its words and its proof, ${proof}.`],
    ),
    ...checksOf(before).flatMap((check) =>
      checks.get(check.id) === approvalOf(check).digest
        ? []
        : [`Check ${check.id} is left out or changed: keep it as it was approved.`],
    ),
  ];
}

/** Returns a sentence for each text that says nothing. */
function emptyStatements(texts: readonly (readonly [string, string])[]): string[] {
  return texts.flatMap(([what, text]) =>
    hasContent(text) ? [] : [`${what} says nothing. Write a whole sentence.`],
  );
}

/**
 * Returns the ids of the workstreams that have to come before this one, including those whose tasks its own
 * task depends on.
 */
function waitsFor({ depends_on, task }: Workstream, workstreams: readonly Workstream[]): string[] {
  const ofTask = new Map(
    workstreams.flatMap((workstream) =>
      workstream.task ? [[workstream.task.id, workstream.id]] : [],
    ),
  );
  return [...depends_on, ...(task?.depends_on ?? []).map((id) => ofTask.get(id) ?? id)];
}

function problemsInWorkstream(
  { id, path, task, covers, depends_on }: Workstream,
  plan: TeamPlan,
  known: ReadonlySet<string>,
): string[] {
  const requirements = new Set(plan.requirements.map((requirement) => requirement.id));
  const found = [
    ...describeUnknownIds(depends_on, known, `Workstream ${id} depends on`, 'workstream'),
    ...describeUnknownIds(covers, requirements, `Workstream ${id} covers`, 'requirement'),
    ...(covers.length === 0 ? [`Workstream ${id} covers no requirement.`] : []),
  ];
  if (path !== 'T4-T5')
    return task === null
      ? found
      : [...found, `Workstream ${id} goes by ${path} and has a task: its squad lead writes tasks.`];
  if (task === null) return [...found, `Workstream ${id} goes by T4-T5 and has no task.`];
  const others = new Set(plan.workstreams.flatMap((workstream) => workstream.task?.id ?? []));
  return [
    ...found,
    ...covers.flatMap((requirement) =>
      task.covers.includes(requirement) || !requirements.has(requirement)
        ? []
        : [`Task ${task.id} does not cover ${requirement}, which workstream ${id} covers.`],
    ),
    ...describeUnknownIds(
      task.depends_on,
      new Set([...others, ...known]),
      `Task ${task.id} depends on`,
      'task',
    ),
    ...problemsInTask(task, id, plan),
  ];
}

/**
 * Returns a sentence for each problem of a single task. Dependencies between tasks are checked
 * later, by `joinGraphs`.
 */
export function problemsInTask(task: Task, workstream: string, plan: TeamPlan): readonly string[] {
  const subject = `Task ${task.id}`;
  return [
    ...(task.workstream === workstream
      ? []
      : [`${subject} is of workstream ${workstream} and says ${task.workstream}.`]),
    ...describeUnknownIds(
      task.covers,
      new Set(plan.requirements.map(({ id }) => id)),
      `${subject} covers`,
      'requirement',
    ),
    ...describeUnknownIds(
      task.checks,
      new Set(plan.checks.map(({ id }) => id)),
      `${subject} names`,
      'check',
    ),
    ...task.files.flatMap((file) => problemsInPath(file, subject)),
    ...task.changes_tests.flatMap(({ file, why }) => [
      ...problemsInPath(file, subject),
      ...(why.trim() === '' ? [`${subject} changes ${quoteText(file)} and does not say why.`] : []),
      ...(matchesGlob(file, task.files)
        ? []
        : [`${subject} changes ${quoteText(file)} and does not hold it.`]),
    ]),
  ];
}

/**
 * Returns a list with one sentence that says why a path or glob cannot be used; an empty list if it can be used.
 * @param subject the beginning of the sentence, which says where the path stands, such as `Task add-flag`
 */
export function problemsInPath(path: string, subject: string): readonly string[] {
  const names = path.split('/');
  const why =
    path.trim() === '' || names.every((name) => name === '' || name === '.')
      ? 'names no file'
      : path.startsWith('/') || path.startsWith('~') || /^[a-z]:/i.test(path)
        ? 'is not relative to the repository'
        : names.includes('..')
          ? 'leads out of the repository'
          : names.some((name) => /^\.git$/i.test(name))
            ? "is git's own"
            : // biome-ignore lint/suspicious/noControlCharactersInRegex: a path has none of them.
              /[\u0000-\u001f\u007f\\]/.test(path)
              ? 'has characters that no path here may have'
              : isSupportedGlob(path)
                ? undefined
                : 'is no glob that is known: use *, **, ?, [a-z] and {a,b}';
  return why === undefined ? [] : [`${subject}: ${quoteText(path)} ${why}.`];
}

function problemsInTiers({ tiers, workstreams }: TeamPlan): string[] {
  const uses = { T2: ['T2-T5'], T3: ['T2-T5', 'T3-T5'] } as const;
  return (['T2', 'T3'] as const).flatMap((tier) => {
    const paths: readonly string[] = uses[tier];
    const used = workstreams.some(({ path }) => paths.includes(path));
    const said = tiers.some((entry) => entry.tier === tier && entry.why.trim() !== '');
    if (used && !said) return [`tiers does not say what ${tier} is for.`];
    return !used && tiers.some((entry) => entry.tier === tier)
      ? [`tiers names ${tier}, and no workstream goes through it.`]
      : [];
  });
}

function problemsInCast(
  { cast }: TeamPlan,
  workstreams: ReadonlySet<string>,
  specialists: ReadonlySet<string>,
): string[] {
  return cast.flatMap(({ tier, workstream, specialist }) => [
    ...(workstream === '' || workstreams.has(workstream)
      ? []
      : [`cast: ${tier} is given the unknown workstream ${quoteText(workstream)}.`]),
    ...(specialist === '' || specialists.has(specialist)
      ? []
      : [`cast: ${tier} is given the unknown specialist ${quoteText(specialist)}.`]),
  ]);
}

function problemsInCheck(check: TeamPlan['checks'][number], survey: Survey): string[] {
  const { id, argv, env, timeout_s, from_survey } = check;
  const same = survey.checks.some(
    (check) =>
      JSON.stringify(check.argv) === JSON.stringify(argv) &&
      JSON.stringify(check.env) === JSON.stringify(env),
  );
  return [
    ...(argv[0]?.trim() === '' ? [`Check ${id} names no program.`] : []),
    ...([...argv, ...env.map(({ value }) => value)].some((word) => word.includes('\0'))
      ? [`Check ${id} has characters that no argument may have.`]
      : []),
    ...env.flatMap(({ name }) =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
        ? []
        : [`Check ${id}: ${quoteText(name)} is no name of a variable.`],
    ),
    ...env.flatMap(({ name, value }) =>
      name === 'PWD' ? problemsInPath(value, `Check ${id}, in the folder that PWD names`) : [],
    ),
    ...(timeout_s >= 1 && timeout_s <= LONGEST_CHECK_S
      ? []
      : [`Check ${id}: timeout_s is from 1 to ${LONGEST_CHECK_S}.`]),
    ...(from_survey && !same
      ? [`Check ${id} says that it is from the survey, which has no such arguments.`]
      : []),
  ];
}

/** Returns a plan's checks in the form in which they are run. */
export function checksOf(plan: TeamPlan): readonly Check[] {
  return plan.checks.map(({ id, argv, env, timeout_s }) => ({
    id,
    argv,
    env,
    timeoutS: timeout_s,
  }));
}

/**
 * Returns whether acceptance tests are written for a workstream before its work begins. Up to version 2 of
 * the rules, only workstreams with a squad's lead or a `retry_multiplier` of 2 get some. From version 3 on,
 * every workstream does, for those of its requirements that a test has to prove.
 */
export function isTestedFirst(
  { path, retry_multiplier }: Pick<TeamPlan['workstreams'][number], 'path' | 'retry_multiplier'>,
  edition: number,
): boolean {
  return edition >= 3 || path !== 'T4-T5' || retry_multiplier === 2;
}

/**
 * Returns what is recorded when a person approves a check: its id, and a digest that changes whenever the
 * command or its variables change.
 */
export function approvalOf({ id, argv, env }: Check): {
  readonly id: string;
  readonly digest: string;
} {
  return { id, digest: computeDigest({ argv, env }) };
}

/**
 * Returns the glob patterns of test files: those of the plan, then those of the survey. The order must not
 * change, because recorded steps depend on it.
 */
export function testsOf(plan: TeamPlan, survey: Survey): readonly string[] {
  return [...new Set([...plan.tests, ...survey.tests])];
}

/**
 * Returns the glob patterns of guarded files (which tasks may not change), from the survey and the
 * plan. A plan can only add patterns.
 */
export function guardedOf(plan: TeamPlan, survey: Survey): readonly string[] {
  return [...new Set([...survey.guarded, ...plan.guarded])];
}

/** Returns the guarded files that tasks hold by name, each with its task. Only a person can allow a task this. */
export function findGuardedHeld(
  tasks: readonly { readonly id: string; readonly files: readonly string[] }[],
  guarded: readonly string[],
): readonly { readonly task: string; readonly file: string }[] {
  return tasks.flatMap(({ id, files }) =>
    findAllowedGuarded(files, guarded).map((file) => ({ task: id, file })),
  );
}

/**
 * Returns those of a task's file patterns that name guarded files only. A person who approves the task lets it
 * change these files. A wide pattern such as `src/*` is left out, even if it matches a guarded file.
 */
export function findAllowedGuarded(
  files: readonly string[],
  guarded: readonly string[],
): readonly string[] {
  return files.filter((file) => matchesGlob(file, guarded));
}

function describeRepeatedIds(items: readonly { readonly id: string }[], what: string): string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const { id } of items) (seen.has(id) ? found : seen).add(id);
  return [...found].map((id) => `There are two of ${what} ${id}.`);
}

function describeUnknownIds(
  ids: readonly string[],
  known: ReadonlySet<string>,
  begin: string,
  what: string,
): string[] {
  return ids
    .filter((id) => !known.has(id))
    .map((id) => `${begin} ${id}, and there is no such ${what}.`);
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
