/**
 * Repeats rounds of work, merging and verification until T1 accepts. Tasks at fault go back and continue
 * from the rejected commit. If the plan itself is at fault, T1 plans again.
 */
import { toLine } from '../../../text/line.ts';
import { fact } from '../facts.ts';
import type { TeamPlan } from '../forms/plan.ts';
import type { Acceptance } from '../forms/work.ts';
import { pageOf } from '../outcome.ts';
import { findTestsInForce } from '../rules/locked.ts';
import { orderById } from '../rules/order.ts';
import {
  ALL_WORKSTREAMS,
  approvalOf,
  checksOf,
  findGuardedHeld,
  guardedOf,
} from '../rules/plan.ts';
import type { TeamRun, WorkBasis } from '../team-run.ts';
import { reasonOf } from '../tried.ts';
import { runOnBase } from './base.ts';
import { sendBack } from './correct.ts';
import { collectTasks, formatGuardedQuestion, GUARDED_REFUSED } from './graph.ts';
import { joinAll } from './join.ts';
import { findUnrun, findUnrunSet, restoreTests } from './locked.ts';
import { amendPlan } from './plan.ts';
import type { JoinedCommit, SentDown, WorkState } from './state.ts';
import type { SurveyResult } from './survey.ts';
import type { BlindSet } from './tests.ts';
import { acceptWork } from './verification/accept.ts';
import type { ReplanReason } from './verification/alone.ts';
import { verifyWorkstreams } from './verification/verify.ts';
import { workOnTasks } from './work.ts';

/** Work that T1 has accepted. */
interface Built {
  readonly state: WorkState;
  readonly joined: JoinedCommit;
  readonly beyond: readonly string[];
  readonly body: string;
  readonly round: number;
}

/**
 * The tasks that go back after a round that is not accepted. `wanted` is the tier that a rejection names
 * first.
 */
interface Down {
  readonly back: SentDown;
  readonly wanted?: 'T4' | 'T3';
}

/**
 * The result of a round. `replan` is set if verifying a workstream alone showed that the plan does not hold.
 */
type Round = { readonly round: number } & (
  | {
      readonly accepted: JoinedCommit;
      readonly beyond: readonly string[];
      readonly replan?: undefined;
    }
  | (Down & { readonly replan?: undefined })
  | {
      readonly replan: readonly ReplanReason[];
      readonly back?: undefined;
      readonly wanted?: undefined;
    }
);

/**
 * Repeats rounds of work and verification until the planning seat (T1) has accepted the work and
 * the work is delivered.
 * @param home brings the accepted work to the person's repository. Returns true if the person has
 * restored dropped tests instead of taking the work, so that another round follows.
 * @returns why the run ends before that; undefined if the work was accepted and `home` is done
 */
export async function buildUntilAccepted(
  team: TeamRun,
  surveyed: SurveyResult,
  first: WorkBasis,
  tests: readonly BlindSet[],
  home: (built: Built) => Promise<boolean>,
): Promise<string | undefined> {
  const drawn = await collectTasks(team, 'graph', surveyed.tree, first);
  if ('why' in drawn) return drawn.why;
  let state: WorkState = {
    team,
    ground: first,
    tests,
    parts: new Map(),
    red: new Map(),
    round: 1,
    verified: new Map(),
  };
  let plans = 1;
  for (;;) {
    let came = await holdRound(state);
    if ('why' in came) return came.why;
    const { round } = came;
    if ('accepted' in came) {
      const { accepted: joined, beyond } = came;
      const body = pageOf(team.goal, team.view, team.costs, undefined, team.edition);
      const isRestored = await home({ state, joined, beyond, body, round });
      if (!isRestored) return undefined;
      const failed = await restoreTests(state, round, joined.commit);
      came = { round, back: { floor: joined.commit, failed } };
    }
    let { replan } = came;
    if (came.back !== undefined) {
      const { floor, failed } = came.back;
      const replans: ReplanReason[] = [];
      for (const { task, failure } of failed) {
        const number = team.task(task).attempts.length;
        const key = `task/${task}/attempt-${number}/round-${round}`;
        const sent = await sendBack(state, key, task, failure, came.wanted);
        if (sent.to === 'stuck') return sent.why;
        if (sent.to === 'replan') replans.push({ workstream: '', task, why: sent.why, floor });
      }
      state = { ...state, floor, parts: new Map() };
      if (replans.length > 0) replan = replans;
    }
    state = { ...state, round: round + 1 };
    const why = replan?.at(-1)?.why;
    if (replan === undefined || why === undefined) continue;
    plans += 1;
    const blamed = replan.map(({ task }) => task);
    const next = await planAgain(state, surveyed, plans, why, blamed);
    if ('why' in next) return next.why;
    state = next;
  }
}

async function holdRound(state: WorkState): Promise<Round | { readonly why: string }> {
  const { team } = state;
  const worked = await workOnTasks(state);
  // This round takes the highest number on record. A workstream that was verified alone several times may have
  // used numbers above `state.round`.
  const round = Math.max(state.round, ...team.view.joins.map((join) => join.round));
  if ('replans' in worked) return { round, ...sortReplans(state, worked.replans) };
  if (!('done' in worked)) return { why: worked.why };
  const joined = await joinAll(state, round);
  if ('why' in joined) return joined;
  if ('floor' in joined) return sendBackJoined(state, round, joined);
  const unrun = await findUnrun(state, round, joined);
  if (unrun !== undefined) return sendBackJoined(state, round, unrun);
  const failed = await verifyWorkstreams(state, round, joined);
  if ('why' in failed) return failed;
  if (failed.length > 0) return { round, back: { floor: joined.commit, failed } };
  const unrunSet = await findUnrunSet(state, round, joined);
  if (unrunSet !== undefined) return sendBackJoined(state, round, unrunSet);
  const accepted = await acceptWork(state, round, joined);
  if ('why' in accepted) return accepted;
  const { acceptance, beyond } = accepted;
  if (acceptance.decision === 'accept' || acceptance.reject === null)
    return { round, accepted: joined, beyond };
  const down = findRejectedTasks(state, joined, acceptance.reject);
  return 'why' in down ? down : { round, ...down };
}

/**
 * Sends merged work back before it was verified. From version 5 of the rules on, this records that the
 * commit proves no requirement, including those that an earlier round called met.
 */
async function sendBackJoined(
  { team }: WorkState,
  round: number,
  back: SentDown,
): Promise<Extract<Round, { back: SentDown }>> {
  if (team.edition >= 5)
    await team.record(`join/round-${round}/not-verified`, { back }, [
      fact('verdict.joined', {
        workstream: ALL_WORKSTREAMS,
        round,
        commit: back.floor,
        verdict: 'fail',
        cause: 'work',
        requirements: [],
        failing: back.failed.map(({ task, failure }) => ({ task, why: reasonIn(failure) })),
      }),
    ]);
  return { round, back };
}

function reasonIn(failure: SentDown['failed'][number]['failure']): string {
  return failure.kind === 'partial' ? 'a part of it is left' : reasonOf(failure.why);
}

/** Sorts the reasons to plan again by workstream, so that their order does not depend on timing. */
function sortReplans({ ground }: WorkState, replans: readonly ReplanReason[]) {
  const { order } = orderById(ground.plan.workstreams);
  const replan = [...replans].sort(
    (one, other) =>
      order.indexOf(one.workstream) - order.indexOf(other.workstream) ||
      (one.task < other.task ? -1 : 1),
  );
  return { replan };
}

/** Returns the tasks that T1 rejects, with its reason and the tier that is asked first. */
function findRejectedTasks(
  { team }: WorkState,
  { commit }: JoinedCommit,
  { tier, workstream, tasks, reason }: NonNullable<Acceptance['reject']>,
): Down | { readonly why: string } {
  const named = team.view.tasks.filter(
    ({ task, state }) =>
      task.workstream === workstream &&
      state === 'done' &&
      (tasks.length === 0 || tasks.includes(task.id)),
  );
  if (named.length === 0)
    return { why: toLine(`it was rejected, and no task is named: ${reason}`) };
  const cause = tier === 'T2' ? 'brief' : 'work';
  const why = `T1 rejects it: ${reason}`;
  const failed = named.map(({ task }) => ({
    task: task.id,
    failure: { kind: 'bad-output' as const, cause: cause as 'brief' | 'work', why },
  }));
  return { back: { floor: commit, failed }, ...(tier === 'T2' ? {} : { wanted: tier }) };
}

/** Asks T1 for another plan. The person has to approve new checks and newly held guarded files. */
async function planAgain(
  state: WorkState,
  surveyed: SurveyResult,
  time: number,
  why: string,
  blamed: readonly string[],
): Promise<WorkState | { readonly why: string }> {
  const { team, ground } = state;
  const done = team.view.tasks
    .filter((task) => task.state === 'done')
    .map(({ task, files }) => ({ task: task.id, files: [...files] }));
  const before = { plan: ground.plan, found: [], refused: [] };
  const planned = await amendPlan(team, `plan/round-${time}`, surveyed, 'replan', before, {
    failed: { why, done },
  });
  if ('why' in planned) return planned;
  const plan = keepGlobs(planned.plan, ground.plan, team.edition);
  if (plan.no_team !== '') return { why: toLine(`T1 gives up: ${plan.no_team}`) };
  const dropped = ground.plan.workstreams.filter(
    ({ id }) => !plan.workstreams.some((workstream) => workstream.id === id),
  );
  if (dropped.length > 0)
    await team.record(
      `plan/round-${time}/dropped`,
      { dropped: dropped.map(({ id }) => id) },
      dropped.map(({ id }) =>
        fact('plan.amended', {
          by: 'T1',
          kind: 'drop',
          what: `workstream ${id}`,
          why,
          files: [],
        }),
      ),
    );
  const refused = await approveNew(state, plan, time);
  if (refused !== undefined) return { why: refused };
  const on = { ...ground, tree: surveyed.tree };
  // Compare checks by their commands, not only by their ids: a check with a changed command has no result on the
  // base yet.
  const known = new Map(checksOf(ground.plan).map((check) => [check.id, approvalOf(check).digest]));
  const fresh = checksOf(plan).filter(
    (planCheck) =>
      known.get(planCheck.id) !== approvalOf(planCheck).digest ||
      !ground.base.some(({ check }) => check === planCheck.id),
  );
  const base = await runOnBase(team, `base/round-${time}`, on, fresh);
  if ('why' in base) return base;
  const kept = ground.base.filter(({ check }) => !fresh.some(({ id }) => id === check));
  const next: WorkBasis = { ...ground, plan, base: [...kept, ...base] };
  const graph = await collectTasks(team, `graph/round-${time}`, surveyed.tree, next);
  if ('why' in graph) return graph;
  await beginAgain(team, `graph/round-${time}`, why, blamed);
  return { ...state, ground: next, tests: await moveTests(state, `plan/round-${time}`, plan) };
}

/**
 * Moves acceptance tests whose workstream is no longer in the plan to the last workstream that covers their
 * requirement.
 */
async function moveTests(
  { team, tests }: WorkState,
  key: string,
  plan: TeamPlan,
): Promise<readonly BlindSet[]> {
  if (team.edition < 3) return tests;
  const homeOf = ({ workstream, requirement }: Pick<BlindSet, 'workstream' | 'requirement'>) =>
    plan.workstreams.some(({ id }) => id === workstream)
      ? workstream
      : (plan.workstreams.findLast(({ covers }) => covers.includes(requirement))?.id ?? workstream);
  const moved = findTestsInForce(team.view.locked).flatMap(
    ({ dropped: _dropped, ...lockedTest }) => {
      const workstream = homeOf(lockedTest);
      return workstream === lockedTest.workstream
        ? []
        : [fact('test.locked', { ...lockedTest, workstream })];
    },
  );
  if (moved.length > 0) await team.record(`${key}/moved-tests`, { moved }, moved);
  return tests.map((set) => ({ ...set, workstream: homeOf(set) }));
}

/**
 * Gives a full set of attempts to every task of the new plan that is not done, or that is to blame for the
 * failure.
 */
async function beginAgain(
  team: TeamRun,
  key: string,
  why: string,
  blamed: readonly string[],
): Promise<void> {
  for (const { task, state, attempts } of team.view.tasks) {
    const isOver = state === 'done' ? !blamed.includes(task.id) : state === 'dropped';
    // Skip a task that has begun no attempt, because it still has its full set of attempts. In old runs, whose
    // settings have no version, skip each task in the state `waiting`.
    const hasAll = team.config.version === undefined ? state === 'waiting' : attempts.length === 0;
    if (isOver || hasAll) continue;
    const attempt = attempts.length + 1;
    await team.record(`${key}/${task.id}-again`, { task: task.id, attempt, why }, [
      fact('task.retried', { task: task.id, attempt, by: 'T1', why }),
    ]);
  }
}

/**
 * Adds the guarded globs of the old plan to the new one, and from version 3 of the rules on its globs of
 * tests as well.
 */
function keepGlobs(plan: TeamPlan, before: TeamPlan, edition: number): TeamPlan {
  const guarded = before.guarded.filter((glob) => !plan.guarded.includes(glob));
  const tests = edition < 3 ? [] : before.tests.filter((glob) => !plan.tests.includes(glob));
  return guarded.length + tests.length === 0
    ? plan
    : { ...plan, guarded: [...plan.guarded, ...guarded], tests: [...plan.tests, ...tests] };
}

/**
 * Asks the person to approve new checks and newly held guarded files of a plan.
 * @returns why the plan may not be used; undefined if it may
 */
async function approveNew(
  { team, ground }: WorkState,
  plan: TeamPlan,
  time: number,
): Promise<string | undefined> {
  const known = new Set(checksOf(ground.plan).map((check) => approvalOf(check).digest));
  const fresh = checksOf(plan).filter((check) => !known.has(approvalOf(check).digest));
  const before = new Map(team.view.tasks.map(({ task, files }) => [task.id, files]));
  const own = plan.workstreams.flatMap(({ task }) => task ?? []);
  const held = findGuardedHeld(own, guardedOf(plan, ground.survey)).filter(
    ({ task, file }) => !before.get(task)?.includes(file),
  );
  if (fresh.length + held.length === 0) return undefined;
  const { answer } = await team.askPerson(`approve/round-${time}`, {
    prompt: [
      ...(fresh.length === 0
        ? []
        : ['The plan was made again, with checks that you have not approved.']),
      ...fresh.map(({ id, argv }) => toLine(`Check ${id}: ${JSON.stringify(argv)}`)),
      ...formatGuardedQuestion(held),
    ].join('\n'),
    options: [
      { value: 'no', label: 'Stop here' },
      { value: 'yes', label: 'Approve them' },
    ],
    default: 'no',
  });
  if (answer === 'yes') return undefined;
  return fresh.length === 0
    ? GUARDED_REFUSED
    : 'the plan was made again, and its checks were not approved';
}
