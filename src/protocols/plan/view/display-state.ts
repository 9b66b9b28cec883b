/**
 * Collects what displays need of a plan: its folded state, the state of each question, and the titles of
 * seats.
 */
import type { RunView } from '../../../kernel/view.ts';
import { makeFoldedPart } from '../../../record-kinds/folded.ts';
import { toLine } from '../../../text/line.ts';
import { configSchema, type PlanConfig } from '../config.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from '../fold.ts';
import { type QuestionStanding, settleQuestions } from '../rules/settle.ts';
import type { SpecBasis } from '../rules/spec.ts';
import type { Statement } from '../rules/statements.ts';
import { deriveSpecBasis, deriveStandings } from '../standings.ts';

/** The state of a plan with everything that its displays need. */
export interface PlanDisplay {
  readonly plan: PlanView;
  readonly standings: readonly QuestionStanding[];
  /**
   * The state of each question after the seats' last answers, without the person's decisions: which
   * options each seat accepts, and what makes an agreement doubtful.
   */
  readonly undecided: readonly QuestionStanding[];
  /** Whether the run has ended, so that nothing more happens unless it is resumed. */
  readonly isOver: boolean;
  /** The run's settings; undefined if this version of the program cannot read them. */
  readonly config: PlanConfig | undefined;
  /** Returns the title of a seat for people. */
  readonly title: (seat: string) => string;
}

/** Derives what displays need from the state of a plan. */
export function derivePlanned(view: RunView, plan: PlanView): PlanDisplay {
  const titles = new Map(view.seats.map(({ id, title }) => [id, toLine(title || id)]));
  return {
    plan,
    standings: deriveStandings(plan),
    undecided: settleQuestions(
      plan.conflicts,
      plan.statements.map(restoreStatement),
      plan.answers,
      plan.edition,
    ),
    isOver: view.status !== 'running',
    config: configSchema.safeParse(view.config).data,
    title: (seat) => titles.get(seat) ?? toLine(seat),
  };
}

/** Returns a statement as it was before a decision withdrew it. */
function restoreStatement(statement: Statement): Statement {
  return statement.withdrawal === undefined || statement.withdrawal.by === 'owner'
    ? statement
    : { ...statement, state: 'live' };
}

/**
 * Returns the results of the rounds, on which the spec (the finished plan) is based and against
 * which it is checked.
 */
export function specBasisOf({ plan }: PlanDisplay): SpecBasis {
  return deriveSpecBasis(plan);
}

/** The functions by which the console computes the state of a plan from the facts of its run. */
export const PLAN_PART = makeFoldedPart(EMPTY_PLAN, foldPlan, derivePlanned);
