/**
 * Merges the work: the tasks of each workstream, then the workstreams, with checks after every merge. If a
 * merge is red, the task merged last goes back.
 */
import type { Check, CheckRun } from '../../../kernel/tools/workshop.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { type FactOf, fact } from '../facts.ts';
import type { Task } from '../forms/plan.ts';
import { judgeChecks } from '../rules/checks.ts';
import { orderById } from '../rules/order.ts';
import { withPermittedTests } from '../rules/permits.ts';
import { ALL_WORKSTREAMS, checksOf } from '../rules/plan.ts';
import type { TeamRun } from '../team-run.ts';
import { endOf, runTwiceIfRed } from './checks.ts';
import { lockedSets } from './locked.ts';
import type { JoinedCommit, SentDown, WorkState } from './state.ts';

type JoinedAll = JoinedCommit | SentDown | { readonly why: string };

/**
 * A commit to be merged, and the task to blame if the merge is red; undefined for tests and for the base.
 */
interface Part {
  readonly commit: string;
  readonly task?: string | undefined;
}

/**
 * Returns the commits of a workstream's finished tasks, in the order of the tasks. `made` lists the ids of
 * these commits in one text: if it differs from the text at an earlier time, the work has changed since.
 */
export function partsOf(
  team: TeamRun,
  workstream: string,
): { readonly done: readonly Part[]; readonly made: string } {
  const done = team.graph.tasks.flatMap((task): Part[] => {
    const { state: how, commit } = team.task(task.id);
    return task.workstream === workstream && how === 'done' && commit !== undefined
      ? [{ commit, task: task.id }]
      : [];
  });
  return { done, made: done.map(({ commit }) => commit).join() };
}

/**
 * Merges the finished tasks of one workstream with the tests written for it, and runs the checks.
 * @param id the workstream's id
 * @param within ids of the tasks whose commits the result can contain: the checks allow only the test
 * changes that these tasks declare; if absent, those of all tasks
 * @returns the merged commit, the task that has to be worked on again, or `why` there is neither
 */
export function joinOne(
  state: WorkState,
  round: number,
  id: string,
  within?: ReadonlySet<string>,
): Promise<JoinedAll> {
  const { team, tests } = state;
  const own = [...tests, ...lockedSets(team)]
    .filter(({ workstream }) => workstream === id)
    .map(({ commit }) => ({ commit }));
  const parts = [...own, ...partsOf(team, id).done];
  return joinParts(state, `join/round-${round}/${id}`, id, round, parts, within);
}

/**
 * Merges all workstreams that have finished tasks, in the order of their dependencies.
 * @returns the merged commit, the task that has to be worked on again, or `why` there is neither
 */
export async function joinAll(state: WorkState, round: number): Promise<JoinedAll> {
  const { team, ground, verified } = state;
  const ofWorkstreams: Part[] = [];
  for (const id of orderById(ground.plan.workstreams).order) {
    const { done, made } = partsOf(team, id);
    if (done.length === 0) continue;
    const known = verified.get(id);
    const joined = known?.made === made ? known.joined : await joinOne(state, round, id);
    if (!('tree' in joined)) return joined;
    ofWorkstreams.push({ commit: joined.commit, task: done.at(-1)?.task });
  }
  if (ofWorkstreams.length === 0) return { why: 'nothing was done' };
  return joinParts(
    state,
    `join/round-${round}/${ALL_WORKSTREAMS}`,
    ALL_WORKSTREAMS,
    round,
    ofWorkstreams,
  );
}

async function joinParts(
  state: WorkState,
  key: string,
  of: string,
  round: number,
  parts: readonly Part[],
  within?: ReadonlySet<string>,
): Promise<JoinedAll> {
  const { team } = state;
  let joined: JoinedCommit | undefined;
  for (const [at, { commit, task }] of parts.entries()) {
    const commits = joined === undefined ? [commit] : [joined.commit, commit];
    const step = `${key}/${at + 1}`;
    const message =
      of === ALL_WORKSTREAMS ? 'Bring workstreams together' : `Bring together the work of ${of}`;
    const made = await team.look(step, { commits }, (signal) =>
      team.workshop.join(commits, message, signal),
    );
    const isLast = at === parts.length - 1;
    if (!made.done || isLast)
      await team.record(`${step}-joined`, { made, of, round }, [
        fact('team.joined', {
          of,
          round,
          commits: parts.map((part) => part.commit),
          conflicts: made.done ? [] : [...made.conflicts],
          ...(made.done ? { commit: made.commit } : {}),
        }),
      ]);
    if (!made.done) {
      const floor = joined?.commit ?? commit;
      const why = `it does not go together with the rest: ${made.conflicts.join(', ')} changed on both sides`;
      return sentDown(floor, task, why);
    }
    // A commit that belongs to no task contains only tests. They may fail until the tasks' commits are merged as
    // well, so run no check on this merge.
    if (task === undefined) {
      joined = { commit: made.commit, tree: made.tree, ran: new Map() };
      continue;
    }
    const workstream = of === ALL_WORKSTREAMS ? undefined : of;
    // If commits with tests are merged too, run the checks only when the last commit is merged: such a test may need
    // the work of any task.
    if (!isLast && parts.some((part) => part.task === undefined)) {
      joined = { commit: made.commit, tree: made.tree, ran: new Map() };
      continue;
    }
    const checked = await checkJoined(state, step, made, workstream, within);
    if ('environment' in checked) return { why: `checks cannot run: ${checked.environment}` };
    if (checked.why.length > 0)
      return sentDown(
        made.commit,
        task,
        ['Joined with the rest it is red:', ...checked.why].join('\n'),
      );
    joined = { commit: made.commit, tree: made.tree, ran: checked.ran };
  }
  return joined ?? { why: 'there is nothing to join' };
}

function sentDown(floor: string, task: string | undefined, why: string): JoinedAll {
  if (task === undefined) return { why };
  return { floor, failed: [{ task, failure: { kind: 'bad-output', cause: 'work', why } }] };
}

/**
 * Runs every check of the plan on a merged commit, except those that already ran on it. Checks without a
 * result on the base are left out.
 * @param workstream the id of the only workstream in the commit; undefined if there are several
 * @returns the runs and `why` the commit is red (empty if it is not), or `environment` if checks could
 * not run
 */
export async function checkJoined(
  { team, ground }: Pick<WorkState, 'team' | 'ground'>,
  key: string,
  { commit, tree }: { readonly commit: string; readonly tree: string },
  workstream: string | undefined,
  /**
   * Ids of the tasks whose work can be in the commit: only test changes that these tasks declare are
   * allowed. Absent: all tasks.
   */
  within?: ReadonlySet<string>,
): Promise<
  | { readonly ran: ReadonlyMap<string, CheckRun>; readonly why: readonly string[] }
  | { readonly environment: string }
> {
  const { plan, provision, base } = ground;
  const ran = new Map<string, CheckRun>();
  for (const check of checksOf(plan)) {
    if (!base.some((baseCheck) => baseCheck.check === check.id)) continue;
    const known = runOn(team.view.checks, check, commit);
    const run =
      known ??
      (await runTwiceIfRed(team, `${key}-check-${check.id}`, provision, check, {
        kind: 'joined',
        tree,
        commit,
        ...withoutUndefined({ workstream }),
      }));
    ran.set(check.id, run);
  }
  const judged = judgeChecks(
    allTasks(
      team.view.tasks
        .filter(({ task }) => within === undefined || within.has(task.id))
        .map(withPermittedTests),
    ),
    base.flatMap((baseCheck) => {
      const run = ran.get(baseCheck.check);
      return run === undefined ? [] : [{ check: baseCheck.check, base: baseCheck, commit: run }];
    }),
    team.edition,
  );
  if (judged.environment) return { environment: judged.why.join('; ') };
  const output = [...ran.values()].filter(({ exit }) => exit !== 0).map((run) => endOf(run.output));
  return { ran, why: judged.green ? [] : [...judged.why, ...output] };
}

function runOn(
  checks: readonly FactOf<'check.ran'>[],
  { id, argv }: Check,
  commit: string,
): CheckRun | undefined {
  return checks.findLast(
    (check) =>
      check.check === id &&
      // Compare the check's command as well as its id: a new team plan may give the same id to another command.
      check.argv.join('\0') === argv.join('\0') &&
      check.on === commit &&
      (check.kind === 'commit' || check.kind === 'joined') &&
      check.exit !== null,
  );
}

/**
 * Builds one task that declares the test changes of all tasks, so that the merged commit can be judged like
 * a task's.
 */
function allTasks(tasks: readonly Task[]): Task {
  const [first] = tasks;
  if (first === undefined) throw new Error('no task to judge');
  return { ...first, id: 'all', changes_tests: tasks.flatMap((task) => task.changes_tests) };
}
