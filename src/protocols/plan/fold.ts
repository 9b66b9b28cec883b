/** How a plan stands, folded from its facts: what the prompts, the tabs, the report and the views read. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Conflict, takeConflicts } from './debate/conflicts.ts';
import { type SeatAnswers, type Standing, settle } from './debate/settle.ts';
import { apply, type Refusal, type Statement, withdraw } from './debate/statements.ts';
import { type FactOf, PLAN } from './facts.ts';

export interface Examination extends FactOf<'conflicts.examined'> {
  readonly refused: readonly { readonly question: string; readonly why: string }[];
}

export interface PlanView {
  readonly staffed?: FactOf<'plan.staffed'> | undefined;
  readonly lookedUp: readonly FactOf<'question.looked-up'>[];
  readonly researched: readonly FactOf<'question.researched'>[];
  readonly gates: readonly FactOf<'context.gated'>[];
  readonly statements: readonly Statement[];
  readonly refusals: readonly Refusal[];
  readonly conflicts: readonly Conflict[];
  readonly examined: readonly Examination[];
  readonly answers: readonly SeatAnswers[];
  readonly decided: readonly FactOf<'conflict.decided'>[];
  readonly unheard: readonly FactOf<'seat.unheard'>[];
  readonly written?: FactOf<'plan.written'> | undefined;
}

export const EMPTY_PLAN: PlanView = {
  lookedUp: [],
  researched: [],
  gates: [],
  statements: [],
  refusals: [],
  conflicts: [],
  examined: [],
  answers: [],
  decided: [],
  unheard: [],
};

/** All facts of a run, folded. */
export function planOf(facts: Iterable<AnyFact>): PlanView {
  let view = EMPTY_PLAN;
  for (const one of facts) view = foldPlan(view, one);
  return view;
}

/** One fact more; the same view where it says nothing of a plan. */
export function foldPlan(view: PlanView, any: AnyFact): PlanView {
  const one = PLAN.own(any);
  switch (one?.type) {
    case 'plan.staffed':
      return { ...view, staffed: one };
    case 'question.looked-up':
      return { ...view, lookedUp: [...view.lookedUp.filter(({ id }) => id !== one.id), one] };
    case 'question.researched':
      return { ...view, researched: [...view.researched.filter(({ id }) => id !== one.id), one] };
    case 'context.gated':
      return {
        ...view,
        gates: [
          ...view.gates.filter(({ seat, round }) => seat !== one.seat || round !== one.round),
          one,
        ],
      };
    case 'statements.made': {
      const { statements, refusals } = apply(view.statements, one);
      return { ...view, statements, refusals: [...view.refusals, ...refusals] };
    }
    case 'conflicts.examined':
      return examine(view, one);
    case 'conflicts.answered':
      return { ...view, answers: [...view.answers, one] };
    case 'conflict.decided':
      return decide(view, one);
    case 'seat.unheard':
      return { ...view, unheard: [...view.unheard, one] };
    case 'plan.written':
      return { ...view, written: one };
    default:
      return view;
  }
}

/** What a detector that saw nothing found is no finding: it is on record, and nobody is asked about it. */
function examine(view: PlanView, one: FactOf<'conflicts.examined'>): PlanView {
  const { found, control, round } = one;
  const sound = control?.seen === false ? [] : found;
  const planted = new Set(control === undefined ? [] : [control.planted]);
  const { conflicts, refused } = takeConflicts(
    view.conflicts,
    sound,
    view.statements,
    round,
    planted,
  );
  return { ...view, conflicts, examined: [...view.examined, { ...one, refused }] };
}

/** The person's choice takes the other options out, whoever's they are. */
function decide(view: PlanView, one: FactOf<'conflict.decided'>): PlanView {
  const { conflict, option, round, by } = one;
  const decided = [...view.decided.filter((before) => before.conflict !== conflict), one];
  const options = view.conflicts.find(({ id }) => id === conflict)?.options ?? [];
  if (option === undefined || by !== 'person' || !options.includes(option))
    return { ...view, decided };
  const statements = view.statements.map((each) =>
    options.includes(each.id) && each.id !== option && each.state === 'live'
      ? withdraw(each, { round, conflict, why: `${option} was chosen`, by: 'person' })
      : each,
  );
  return { ...view, decided, statements };
}

/** How each question stands, with what the person decided. */
export function standingsOf({ conflicts, statements, answers, decided }: PlanView): Standing[] {
  return settle(conflicts, statements, answers).map((standing) => {
    const choice = decided.find(({ conflict }) => conflict === standing.conflict);
    if (choice?.option === undefined || choice.by !== 'person') return standing;
    return {
      ...standing,
      state: 'settled',
      outcome: { option: choice.option },
      why: 'decided by the person',
    };
  });
}

/** Whether the last look at a round's statements was one that had shown that it can see. */
export function isExamined({ examined }: PlanView, round: number): boolean {
  const last = examined.findLast((one) => one.round === round);
  return last?.control?.seen === true;
}
