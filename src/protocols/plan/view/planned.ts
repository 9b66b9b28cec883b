/** A plan as its displays read it: the fold of its facts, with how each question stands and who is who. */
import type { RunView } from '../../../kernel/view.ts';
import { foldedPart } from '../../../record-kinds/folded.ts';
import { line } from '../../../text/line.ts';
import { configSchema, type PlanConfig } from '../config.ts';
import { basisOf, EMPTY_PLAN, foldPlan, type PlanView, standingsOf } from '../fold.ts';
import { type Standing, settle } from '../rules/settle.ts';
import type { SpecBasis } from '../rules/spec.ts';
import type { Statement } from '../rules/statements.ts';

export interface Planned {
  readonly plan: PlanView;
  readonly standings: readonly Standing[];
  /** As the seats left them, before anything was decided: who accepted what, and what was odd about it. */
  readonly undecided: readonly Standing[];
  /** Nothing more comes: the run has ended. */
  readonly isOver: boolean;
  /** Undefined of a run whose settings this version cannot read. */
  readonly config: PlanConfig | undefined;
  /** A seat as people call it. */
  readonly title: (seat: string) => string;
}

export function plannedOf(view: RunView, plan: PlanView): Planned {
  const titles = new Map(view.seats.map(({ id, title }) => [id, line(title || id)]));
  return {
    plan,
    standings: standingsOf(plan),
    undecided: settle(plan.conflicts, plan.statements.map(restore), plan.answers, plan.edition),
    isOver: view.status !== 'running',
    config: configSchema.safeParse(view.config).data,
    title: (seat) => titles.get(seat) ?? line(seat),
  };
}

/** A statement without what a decision made of it. */
function restore(one: Statement): Statement {
  return one.withdrawal === undefined || one.withdrawal.by === 'owner'
    ? one
    : { ...one, state: 'live' };
}

/** What the spec of this plan accounts for. */
export function specBasisOf({ plan }: Planned): SpecBasis {
  return basisOf(plan);
}

/** What the console keeps of a plan. */
export const PLAN_PART = foldedPart(EMPTY_PLAN, foldPlan, plannedOf);
