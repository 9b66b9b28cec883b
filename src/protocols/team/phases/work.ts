/**
 * Runs tasks at the same time, each as soon as the tasks before it are done, and each attempt in its own
 * tree.
 */
import type { JoinAnswer } from '../../../kernel/tools/workshop.ts';
import { fact } from '../facts.ts';
import {
  type AttemptFailure,
  attemptsAllowed,
  countAttemptsUsed,
  levelOf,
} from '../rules/failures.ts';
import { findReadyTasks, startsFrom } from '../rules/graph.ts';
import { workstreamOf } from '../team-run.ts';
import { attemptTask } from './attempt.ts';
import { type FailureOutcome, sendBack } from './correct.ts';
import { findLockedForTask } from './locked.ts';
import { completesRequirement, type WorkState } from './state.ts';
import {
  findStreamsToVerifyFirst,
  hasEnded,
  type ReplanReason,
  verifyAlone,
} from './verification/alone.ts';

type Stuck = Extract<FailureOutcome, { to: 'stuck' }>;

/** Reasons to plan again that came from verifying workstreams alone. */
interface Unplanned {
  readonly to: 'replan';
  readonly replans: readonly ReplanReason[];
}

/**
 * Works on tasks until no further task can begin, or until a person ends the run because of a task. From
 * version 4 of the rules on, a task that builds on another workstream waits until that workstream has been
 * verified. It does not wait if the two workstreams build on each other.
 * @returns `done`, or why the work cannot go on with this plan
 */
export async function workOnTasks(
  state: WorkState,
): Promise<{ readonly done: true } | Stuck | Unplanned> {
  const { team } = state;
  const running = new Map<string, Promise<void>>();
  const verifying = new Map<string, Promise<void>>();
  const replans: ReplanReason[] = [];
  let over: Stuck | undefined;
  const startWork = (
    among: Map<string, Promise<void>>,
    id: string,
    doIt: () => Promise<Stuck | undefined>,
  ): void => {
    const doing = doIt().then((sent) => {
      among.delete(id);
      if (sent !== undefined) over ??= sent;
    });
    among.set(id, doing);
    // Node must not report a failure of the work as an unhandled rejection, because the loop below awaits the work
    // and throws its errors.
    doing.catch(() => undefined);
  };
  // Even if a workstream's verification asks for a new plan, all other tasks that can begin are worked on to
  // their end. So timing does not decide which tasks are done.
  const verifyWorkstream = async (workstream: string): Promise<Stuck | undefined> => {
    const after = await verifyAlone(state, workstream);
    if (after.to === 'replan') replans.push(...after.replans);
    return after.to === 'stuck' ? after : undefined;
  };
  for (;;) {
    const gates = findStreamsToVerifyFirst(state);
    if (over === undefined) {
      for (const { task } of findReadyTasks(team.view.tasks, team.graph.ordered)) {
        if (running.size >= team.config.parallel) break;
        if (!running.has(task.id) && !gates.has(task.id))
          startWork(running, task.id, () => doTask(state, task.id));
      }
      for (const id of new Set([...gates.values()].flat()))
        if (
          !verifying.has(id) &&
          hasEnded(team, id) &&
          !replans.some(({ workstream }) => workstream === id)
        )
          startWork(verifying, id, () => verifyWorkstream(id));
    }
    if (running.size + verifying.size === 0) break;
    await Promise.race([...running.values(), ...verifying.values()]);
  }
  if (over !== undefined) return over;
  if (replans.length > 0) return { to: 'replan', replans };
  const waiting = team.view.tasks.filter(({ state }) => state !== 'done' && state !== 'dropped');
  return waiting.length === 0
    ? { done: true }
    : {
        to: 'stuck',
        why: `what they start from was dropped: ${waiting.map(({ task }) => task.id).join(', ')}`,
      };
}

/**
 * Runs a task until it is done, dropped or split.
 * @returns why the run ends, if a person has decided so
 */
async function doTask(state: WorkState, id: string): Promise<Stuck | undefined> {
  const { team, ground } = state;
  const { task } = team.task(id);
  const multiplier = workstreamOf(ground.plan, task.workstream)?.retry_multiplier ?? 1;
  const allowed = attemptsAllowed(multiplier);
  // An attempt begins with a merge of the commits that the task starts from. `failed` counts how often in a row
  // this merge failed; a failed merge uses up no attempt.
  let failed = 0;
  for (;;) {
    const number = team.task(id).attempts.length + 1;
    const key = `task/${id}/attempt-${number}${failed === 0 ? '' : `/start-${failed + 1}`}`;
    const late = countAttemptsUsed(team.task(id)) + 1;
    const how = levelOf(Math.min(late, allowed), allowed, team.levelOf('t4'));
    const joined = await startOf(state, key, id);
    failed = joined.done ? 0 : failed + 1;
    const tried = joined.done
      ? await attemptTask(state, key, { id, attempt: number, commit: joined.commit, ...how })
      : { failure: toConflictFailure(joined.conflicts) };
    if ('commit' in tried) {
      await team.record(`${key}/ended`, { id, commit: tried.commit }, [
        fact('task.ended', { task: id, state: 'done', commit: tried.commit }),
      ]);
      return undefined;
    }
    const sent = await sendBack(state, key, id, tried.failure);
    if (sent.to === 'dropped' || sent.to === 'split') return undefined;
    if (sent.to !== 'again') return sent;
  }
}

function toConflictFailure(files: readonly string[]): AttemptFailure {
  return {
    kind: 'blocked',
    why: `what it starts from does not go together: ${files.join(', ')} changed on both sides`,
  };
}

/**
 * Merges what an attempt starts from: the tasks before it and its locked tests, and in later attempts the
 * commit that was sent back or the kept part. The result does not depend on which task ended first.
 */
function startOf(state: WorkState, key: string, id: string): Promise<JoinAnswer> {
  const { team, ground, tests, floor, parts } = state;
  const { tasks, ordered } = team.graph;
  const before = startsFrom(id, tasks, ordered).flatMap((taskId) => team.task(taskId).commit ?? []);
  const { covers } = team.task(id).task;
  const locked = tests
    .filter(
      ({ requirement }) =>
        covers.includes(requirement) && completesRequirement(state, id, requirement),
    )
    .map(({ commit }) => commit);
  const own = findLockedForTask(team, id).map(({ commit }) => commit);
  const part = parts.get(id);
  const commits = [
    ...new Set([
      ...(floor === undefined ? [] : [floor]),
      ...(part === undefined ? [] : [part]),
      ...before,
      ...locked,
      ...own,
    ]),
  ];
  const all = commits.length === 0 ? [ground.survey.base] : commits;
  return team.look(`${key}/start`, { commits: all }, (signal) =>
    team.workshop.join(all, `Bring together what ${id} starts from`, signal),
  );
}
