/**
 * Makes T1's plan: T1 reads the repository and plans, criticizes its plan in a second call, and code checks
 * the result.
 */

import { withoutUndefined } from '../../../text/without-undefined.ts';
import { fact } from '../facts.ts';
import { type Critique, critiqueSchema, planSchema, type TeamPlan } from '../forms/plan.ts';
import {
  critiqueMessages,
  type PlanContext,
  planMessages,
  replanMessages,
} from '../prompts/plan.ts';
import { findLostApprovals, findPlanProblems, listReservedIdProblems } from '../rules/plan.ts';
import { mendPlan } from '../rules/plan-mend.ts';
import { problemsWithSpec } from '../rules/spec.ts';
import type { TeamRun } from '../team-run.ts';
import { askLooking } from './place.ts';
import type { SurveyResult } from './survey.ts';

/** A plan that code has accepted, or `why` there is none. */
export type PlanResult = { readonly plan: TeamPlan } | { readonly why: string };

interface Handed {
  readonly plan: TeamPlan;
  readonly found: readonly { readonly what: string; readonly change: string }[];
  readonly refused: readonly string[];
}

/**
 * Asks the planning seat (T1) for a plan, and then to criticize and improve it. The critique is left out if
 * T1 says that no team is needed and code accepts this answer.
 */
export async function makePlan(team: TeamRun, surveyed: SurveyResult): Promise<PlanResult> {
  const context = contextOf(team, surveyed);
  const asked = await askLooking(team, 'plan', surveyed.tree, {
    task: 'team/plan',
    seat: 't1',
    schema: planSchema,
    messages: planMessages(context),
  });
  if ('why' in asked) return { why: `there is no plan: ${asked.why}` };
  const first = await recordPlan(team, 'plan/held', surveyed, 't1', {
    plan: asked.value,
    found: [],
  });
  const isAccepted = first.refused.length === 0;
  if (first.plan.no_team !== '' && isAccepted) return { plan: first.plan };
  return amendPlan(team, 'plan/critique', surveyed, 'critique', first);
}

/**
 * Asks the planning seat (T1) to change a plan because of a critique, a person's wish or failed
 * work. If code refuses the changed plan, the seat is asked once more.
 * @param before the plan so far, and why code refused it, if it did
 * @returns the plan, which may be unchanged, or `why` there is none
 */
export async function amendPlan(
  team: TeamRun,
  key: string,
  surveyed: SurveyResult,
  by: 'critique' | 'person' | 'replan',
  before: Handed,
  {
    wish,
    failed,
  }: {
    readonly wish?: string;
    readonly failed?: Omit<Parameters<typeof replanMessages>[2], 'refused'>;
  } = {},
): Promise<PlanResult> {
  const context = contextOf(team, surveyed);
  let last: Handed = before;
  for (const step of [key, `${key}-again`]) {
    const { refused } = last;
    const wanted = wish === undefined ? {} : { wish };
    const asked = await team.ask(step, {
      task: 'team/critique',
      seat: 't1',
      schema: critiqueSchema,
      about: { items: [...refused] },
      messages:
        failed === undefined
          ? critiqueMessages(context, last.plan, { refused, ...wanted })
          : replanMessages(context, last.plan, { ...failed, refused }),
    });
    if ('why' in asked) {
      // If the call for a critique fails, keep the plan as it is, unless code has refused the plan.
      if (by === 'critique' && refused.length === 0) return { plan: last.plan };
      return { why: `the plan was not amended: ${asked.why}` };
    }
    const { found, plan: changed } = asked.value;
    const handed = { plan: changed ?? last.plan, found };
    last = await recordPlan(
      team,
      `${step}/held`,
      surveyed,
      by,
      handed,
      wish,
      unchangedIn(asked.value),
    );
    if (last.refused.length === 0) return { plan: last.plan };
  }
  return { why: `the plan does not hold: ${last.refused.join('; ')}` };
}

function contextOf(team: TeamRun, { survey }: SurveyResult): PlanContext {
  const { goal, config } = team;
  return {
    goal,
    survey,
    specialists: config.specialists,
    seed: config.seed,
    edition: team.edition,
  };
}

/** Refuses a critique that finds something wrong and changes nothing. */
function unchangedIn({ found, plan: changed }: Critique): string[] {
  return changed === null && found.length > 0
    ? ['found says what is wrong, and plan is null. Hand in the plan with that changed.']
    : [];
}

/** Checks a plan by code, and records it with the problems found. */
async function recordPlan(
  team: TeamRun,
  key: string,
  { survey }: SurveyResult,
  by: 't1' | 'critique' | 'person' | 'replan',
  given: Pick<Handed, 'plan' | 'found'>,
  wish?: string,
  more: readonly string[] = [],
): Promise<Handed> {
  const slugs = team.config.specialists.map(({ slug }) => slug);
  const known = { survey, specialists: slugs, mayGiveUp: by === 'replan' };
  const { plan: handed, mended } =
    team.edition < 6
      ? { plan: given.plan, mended: [] }
      : mendPlan(given.plan, team.edition < 7 ? undefined : known);
  const { found } = given;
  const { plan: worked } = team.view;
  const lost =
    by === 'replan' && team.edition >= 3 && worked ? findLostApprovals(handed, worked) : [];
  const refused = [
    ...more,
    ...problemsWithSpec(handed, team.config.spec),
    ...findPlanProblems(handed, survey, slugs),
    ...(team.edition < 5 ? [] : listReservedIdProblems(handed)),
    ...lost,
  ];
  await team.record(key, { handed, found: [...found, ...mended], refused }, [
    fact('team.planned', {
      plan: handed,
      by,
      found: [...found],
      ...(mended.length === 0 ? {} : { mended: [...mended] }),
      refused: [...refused],
      ...withoutUndefined({ wish }),
    }),
  ]);
  return { plan: handed, found, refused };
}
