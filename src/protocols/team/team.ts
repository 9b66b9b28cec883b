/**
 * The tiered team: turns a goal into a branch whose checks were run by code. The tiers are goal and
 * acceptance (T1), design (T2), coordination (T3), work (T4) and verification (T5).
 *
 * Phases run in a row (`phases/`). What code decides is in `rules/`, which is pure and has no clock. No phase
 * touches a file: phases await `run` and, inside steps, `context.workshop`, which `src/workshop` implements.
 *
 * Invariants:
 * - A tree is the hash of a git tree in the run's own bare copy. A seat's edit is a function from tree to
 *   tree, and a step with the new hash, so a step that was cut off leaves nothing behind.
 * - Commits are dated by the run's id and made only from what their step is told: made again, they have the
 *   same hash. Only commands have folders on disk, each removed when its command has ended.
 * - Tasks run side by side and end in any order, yet each task starts from the merge of exactly what it
 *   depends on, and each prompt is made from the plan, that merge and the task's own past.
 * - A check counts as proof only if it was green on the base. A requirement with a red locked test is not
 *   met, whatever verifiers say.
 * - Code checks what a tier hands down against what exists (`rules/split.ts`, `rules/placed.ts`).
 * - `version` in a run's settings says which prompts and rules the run uses.
 */
import type { Outcome, Protocol } from '../../kernel/protocol.ts';
import { unsettledFailures } from '../../kernel/unsettled.ts';
import { configSchema, type TeamConfig } from './config.ts';
import { TEAM } from './facts.ts';
import { findUnsoundSetting, forkOf, requestOf } from './past.ts';
import { approvePlan } from './phases/approve.ts';
import { checkBase } from './phases/base.ts';
import { concludeRun } from './phases/conclude.ts';
import { deliverWork } from './phases/deliver.ts';
import { designWorkstreams } from './phases/design.ts';
import { makePlan } from './phases/plan.ts';
import { buildUntilAccepted } from './phases/rounds.ts';
import { answerSpec } from './phases/spec.ts';
import { surveyRepository } from './phases/survey.ts';
import { writeTests } from './phases/tests.ts';
import { requestSchema, type TeamRequest } from './requests.ts';
import { TeamRun } from './team-run.ts';
import { formatProgressAtBudgetEnd } from './tried.ts';

/** The protocol of the tiered team. */
export const team: Protocol<TeamConfig, TeamRequest> = {
  name: 'team',
  longPauses: true,
  config: configSchema,
  requests: requestSchema,
  request: requestOf,
  fork: forkOf,
  unsound: findUnsoundSetting,
  standing: formatProgressAtBudgetEnd,
  unsettled: (facts) => unsettledFailures(facts, { byWork: false }),
  async execute(run, { question, seats, config, past, facts, workshop }) {
    if (workshop === undefined) return { status: 'failed', reason: 'there is no repository here' };
    const asked = await answerSpec(run, question, config.spec);
    if ('why' in asked) return { status: 'failed', reason: asked.why };
    const teamRun = new TeamRun(run, asked.goal, seats, config, workshop);
    const isFirstAttempt = past.startedAt === past.attemptAt;
    const failed = facts.filter(TEAM.is('team.delivered')).filter(({ how }) => how === 'failed');
    const why = await bringAbout(teamRun, isFirstAttempt, failed.length);
    await concludeRun(teamRun, why);
    return why === undefined ? { status: 'done' } : { status: 'failed', reason: why };
  },
};

/**
 * Runs all phases from the survey to the delivery.
 * @returns why the goal is not met; undefined if it is
 */
async function bringAbout(
  team: TeamRun,
  isFirstAttempt: boolean,
  failed: number,
): Promise<Outcome['reason']> {
  const surveyed = await surveyRepository(team);
  const planned = await makePlan(team, surveyed);
  if ('why' in planned) return planned.why;
  if (planned.plan.no_team !== '') return undefined;
  const approved = await approvePlan(team, surveyed, planned.plan, isFirstAttempt);
  if ('why' in approved) return approved.why;
  if (approved.plan.no_team !== '') return undefined;
  const ground = await checkBase(team, surveyed, approved);
  if ('why' in ground) return ground.why;
  const designed = await designWorkstreams(team, surveyed, ground);
  if (designed !== undefined && 'why' in designed) return designed.why;
  const tests = await writeTests(team, 'tests', surveyed.tree, ground);
  let restored = 0;
  return buildUntilAccepted(team, surveyed, ground, tests, async ({ state, joined, ...built }) => {
    const round = restored === 0 ? undefined : built.round;
    const isRestored = await deliverWork(state, joined, { ...built, failed, round });
    if (isRestored) restored += 1;
    return isRestored;
  });
}
