/**
 * Verifies a workstream alone as soon as its tasks have ended, before other workstreams build on it. Tasks
 * that fail go back, and continue from the merged commit.
 */
import type { Task } from '../../forms/plan.ts';
import { findAllBefore } from '../../rules/graph.ts';
import { orderById } from '../../rules/order.ts';
import { findStreamsToWaitFor } from '../../rules/waits-for.ts';
import type { TeamRun } from '../../team-run.ts';
import { sendBack } from '../correct.ts';
import { joinOne, partsOf } from '../join.ts';
import type { WorkState } from '../state.ts';
import { verifyWorkstream } from './verify.ts';

/** A reason to plan again, with the task that led to it. */
export interface ReplanReason {
  /** The id of the workstream that was verified alone; empty if all work was verified together. */
  readonly workstream: string;
  readonly task: string;
  readonly why: string;
  /** The commit from which work continues. */
  readonly floor: string;
}

type AfterAlone =
  | { readonly to: 'verified' }
  | { readonly to: 'again' }
  | { readonly to: 'replan'; readonly replans: readonly ReplanReason[] }
  | { readonly to: 'stuck'; readonly why: string };

/**
 * Returns, by task id, the workstreams that have to be verified before the task may begin. Tasks that need not
 * wait are left out. Empty up to version 3 of the rules, which verify all workstreams at the end.
 */
export function findStreamsToVerifyFirst({
  team,
  verified,
}: WorkState): ReadonlyMap<string, readonly string[]> {
  if (team.edition < 4) return new Map();
  const { tasks, ordered } = team.graph;
  const gates = findStreamsToWaitFor(tasks, ordered);
  return new Map(
    tasks.flatMap(({ id }) => {
      const open = (gates.get(id) ?? []).filter(
        (workstream) => !isSettled(team, workstream, verified.get(workstream)?.made),
      );
      return team.task(id).state === 'waiting' && open.length > 0 ? [[id, open] as const] : [];
    }),
  );
}

/**
 * Returns whether a workstream needs no verification: it was verified with its present commits, or all of its
 * tasks were dropped.
 */
function isSettled(team: TeamRun, workstream: string, made: string | undefined): boolean {
  const own = team.view.tasks.filter(({ task }) => task.workstream === workstream);
  if (own.every(({ state }) => state === 'dropped')) return true;
  return hasEnded(team, workstream) && made === partsOf(team, workstream).made;
}

/** Returns whether all tasks of a workstream are done or dropped. */
export function hasEnded({ view }: TeamRun, workstream: string): boolean {
  return view.tasks.every(
    ({ task, state }) => task.workstream !== workstream || state === 'done' || state === 'dropped',
  );
}

/** Returns the next round number of a workstream, so that no two of its verifications share one. */
function nextRound({ team, round }: WorkState, workstream: string): number {
  const { joins, joint } = team.view;
  const own = [
    ...joins.filter(({ of }) => of === workstream),
    ...joint.filter((verdict) => verdict.workstream === workstream),
  ].map((fact) => fact.round);
  return Math.max(round, ...own.map((earlierRound) => earlierRound + 1));
}

/**
 * Merges and verifies one workstream before others build on it.
 * @returns whether it is verified, is tried again, needs another plan, or ends the run
 */
export async function verifyAlone(state: WorkState, workstream: string): Promise<AfterAlone> {
  const { team, verified, parts } = state;
  const round = nextRound(state, workstream);
  const within = builtOn(team.graph.tasks, team.graph.ordered, workstream);
  const { made } = partsOf(team, workstream);
  const joined = await joinOne(state, round, workstream, within);
  if ('why' in joined) return { to: 'stuck', why: joined.why };
  const failed =
    'floor' in joined
      ? joined.failed
      : await verifyWorkstream(state, round, joined, workstream, {
          within,
          requirements: findOwnRequirements(state, workstream, within),
        });
  if ('why' in failed) return { to: 'stuck', why: failed.why };
  const floor = 'floor' in joined ? joined.floor : joined.commit;
  if (failed.length === 0) {
    if (!('floor' in joined)) verified.set(workstream, { made, joined });
    return { to: 'verified' };
  }
  const replans: ReplanReason[] = [];
  for (const { task, failure } of failed) {
    parts.set(task, floor);
    const key = `task/${task}/attempt-${team.task(task).attempts.length}/round-${round}`;
    const sent = await sendBack(state, key, task, failure, undefined);
    if (sent.to === 'stuck') return sent;
    if (sent.to === 'replan') replans.push({ workstream, task, why: sent.why, floor });
  }
  return replans.length > 0 ? { to: 'replan', replans } : { to: 'again' };
}

/**
 * Returns the tasks whose work is in a workstream's merged commit: its own, and all that come before these.
 */
function builtOn(
  tasks: readonly Task[],
  ordered: Parameters<typeof findAllBefore>[2],
  workstream: string,
): ReadonlySet<string> {
  const own = tasks.filter((task) => task.workstream === workstream).map(({ id }) => id);
  return new Set([...own, ...own.flatMap((id) => [...findAllBefore(id, tasks, ordered)])]);
}

/**
 * Returns the requirements that can be verified with a workstream alone: no later workstream covers them, all
 * tasks that cover them are in `within`, and at least one of these was not dropped. The other requirements
 * are verified with the whole.
 */
function findOwnRequirements(
  { team, ground: { plan } }: WorkState,
  workstream: string,
  within: ReadonlySet<string>,
): typeof plan.requirements {
  const findLastWorkstream = (id: string): string | undefined =>
    orderById(plan.workstreams).order.findLast((each) =>
      plan.workstreams.some((other) => other.id === each && other.covers.includes(id)),
    );
  return plan.requirements.filter(({ id }) => {
    const own = team.graph.tasks.filter(({ covers }) => covers.includes(id));
    return (
      findLastWorkstream(id) === workstream &&
      own.every((task) => within.has(task.id)) &&
      own.some((task) => team.task(task.id).state !== 'dropped')
    );
  });
}
