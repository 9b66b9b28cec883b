/** T1's plan: made with a look into the repository, criticized and amended in one call, and held by code. */
import { fact } from '../facts.ts';
import { type Critique, critiqueSchema, planSchema, type TeamPlan } from '../forms/plan.ts';
import {
  critiqueMessages,
  type PlanContext,
  planMessages,
  replanMessages,
} from '../prompts/plan.ts';
import { lostIn, problemsIn, reservedIn } from '../rules/plan.ts';
import { problemsWithSpec } from '../rules/spec.ts';
import type { TeamRun } from '../team-run.ts';
import { askLooking } from './place.ts';
import type { Surveyed } from './survey.ts';

export type Planned = { readonly plan: TeamPlan } | { readonly why: string };

interface Handed {
  readonly plan: TeamPlan;
  readonly found: readonly { readonly what: string; readonly change: string }[];
  readonly refused: readonly string[];
}

export async function plan(team: TeamRun, surveyed: Surveyed): Promise<Planned> {
  const context = contextOf(team, surveyed);
  const asked = await askLooking(team, 'plan', surveyed.tree, {
    ...{ task: 'team/plan', seat: 't1', schema: planSchema },
    messages: planMessages(context),
  });
  if ('why' in asked) return { why: `there is no plan: ${asked.why}` };
  const first = await hold(team, 'plan/held', surveyed, 't1', { plan: asked.value, found: [] });
  // An answer in place of a plan has nothing that a critique could amend.
  if (first.plan.no_team !== '' && first.refused.length === 0) return { plan: first.plan };
  return amend(team, 'plan/critique', surveyed, 'critique', first);
}

/** Once more by T1, with what is wrong or wanted; what code refuses of it goes back once. */
export async function amend(
  team: TeamRun,
  key: string,
  surveyed: Surveyed,
  by: 'critique' | 'person' | 'replan',
  before: Handed,
  {
    wish,
    failed,
  }: {
    readonly wish?: string;
    readonly failed?: Omit<Parameters<typeof replanMessages>[2], 'refused'>;
  } = {},
): Promise<Planned> {
  const context = contextOf(team, surveyed);
  let last: Handed = before;
  for (const step of [key, `${key}-again`]) {
    const { refused } = last;
    const wanted = wish === undefined ? {} : { wish };
    const asked = await team.ask(step, {
      ...{ task: 'team/critique', seat: 't1', schema: critiqueSchema },
      about: { items: [...refused] },
      messages:
        failed === undefined
          ? critiqueMessages(context, last.plan, { refused, ...wanted })
          : replanMessages(context, last.plan, { ...failed, refused }),
    });
    if ('why' in asked) {
      // A critique that never came leaves a plan that stands.
      if (by === 'critique' && refused.length === 0) return { plan: last.plan };
      return { why: `the plan was not amended: ${asked.why}` };
    }
    const { found, plan: changed } = asked.value;
    const handed = { plan: changed ?? last.plan, found };
    last = await hold(team, `${step}/held`, surveyed, by, handed, wish, unchangedIn(asked.value));
    if (last.refused.length === 0) return { plan: last.plan };
  }
  return { why: `the plan does not hold: ${last.refused.join('; ')}` };
}

function contextOf(team: TeamRun, { survey }: Surveyed): PlanContext {
  const { goal, config } = team;
  return {
    goal,
    survey,
    specialists: config.specialists,
    seed: config.seed,
    edition: team.edition,
  };
}

/** What was found wrong has to be changed. */
function unchangedIn({ found, plan: changed }: Critique): string[] {
  return changed === null && found.length > 0
    ? ['found says what is wrong, and plan is null. Hand in the plan with that changed.']
    : [];
}

/** Code reads it, and what code says is on record beside it. */
async function hold(
  team: TeamRun,
  key: string,
  { survey }: Surveyed,
  by: 't1' | 'critique' | 'person' | 'replan',
  { plan: handed, found }: Pick<Handed, 'plan' | 'found'>,
  wish?: string,
  more: readonly string[] = [],
): Promise<Handed> {
  const slugs = team.config.specialists.map(({ slug }) => slug);
  const { plan: worked } = team.view;
  const lost = by === 'replan' && team.edition >= 3 && worked ? lostIn(handed, worked) : [];
  const refused = [
    ...more,
    ...problemsWithSpec(handed, team.config.spec),
    ...problemsIn(handed, survey, slugs),
    ...(team.edition < 5 ? [] : reservedIn(handed)),
    ...lost,
  ];
  await team.record(key, { handed, found, refused }, [
    fact('team.planned', {
      ...{ plan: handed, by, found: [...found], refused: [...refused] },
      ...(wish === undefined ? {} : { wish }),
    }),
  ]);
  return { plan: handed, found, refused };
}
