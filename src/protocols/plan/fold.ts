/** Folds a plan's facts into its present state, which prompts, tabs, the report and the views read. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Edition, editionOf } from './config.ts';
import { type FactOf, PLAN } from './facts.ts';
import {
  addWaysOut,
  type Conflict,
  listNamedStatements,
  takeConflicts,
} from './rules/conflicts.ts';
import type { SeatAnswers } from './rules/settle.ts';
import {
  applyChanges,
  type RefusedChange,
  type Statement,
  withdrawStatement,
} from './rules/statements.ts';

/** A recorded search for conflicts by one model, or a seat's objections to what the person decided. */
export type Examination = FactOf<'conflicts.examined'>;

/** The present state of a plan. Lists are in the order of the facts. */
export interface PlanView {
  readonly edition: Edition;
  /** Which specialists were chosen, and why. Absent until they are. */
  readonly staffed?: FactOf<'plan.staffed'> | undefined;
  /** The seats' questions before the first round, with what the documents answer. */
  readonly lookedUp: readonly FactOf<'question.looked-up'>[];
  /** What research in the repository found for questions that documents did not answer, or only in part. */
  readonly researched: readonly FactOf<'question.researched'>[];
  /** Which sections of documents each seat was shown. */
  readonly gated: readonly FactOf<'context.gated'>[];
  readonly statements: readonly Statement[];
  /** The changes by seats that code refused. */
  readonly refusals: readonly RefusedChange[];
  readonly conflicts: readonly Conflict[];
  /** The searches for conflicts, and the seats' objections to what the person decided. */
  readonly examined: readonly Examination[];
  readonly answers: readonly SeatAnswers[];
  /** The latest decision on each question: by the person, by the seats' agreement, or to leave it open. */
  readonly decided: readonly FactOf<'conflict.decided'>[];
  /**
   * The results of rereading: if a seat says that a question misreads the statements, a reader
   * checks whether it does. Results on a question that is found again later are dropped.
   */
  readonly reread: readonly FactOf<'conflict.reread'>[];
  /**
   * The seats' answers when each was asked alone whether it insists on a constraint that it had
   * marked as a must.
   */
  readonly musts: readonly FactOf<'must.asked'>[];
  /** The seats that failed to answer. */
  readonly unheard: readonly FactOf<'seat.unheard'>[];
  /** The spec (the finished plan). Absent until it is written. */
  readonly written?: FactOf<'plan.written'> | undefined;
  /** Files as they were last written into the repository, by path. */
  readonly files: ReadonlyMap<string, WrittenFile>;
}

/** A file on record. `at` is when it was written, in ISO 8601. */
interface WrittenFile {
  readonly sha256: string;
  readonly at: string;
}

/** The state of a plan before its first fact. */
export const EMPTY_PLAN: PlanView = {
  edition: 1,
  lookedUp: [],
  researched: [],
  gated: [],
  statements: [],
  refusals: [],
  conflicts: [],
  examined: [],
  answers: [],
  decided: [],
  reread: [],
  musts: [],
  unheard: [],
  files: new Map(),
};

/** Computes the state of a plan from all facts of its run. */
export function planOf(facts: Iterable<AnyFact>): PlanView {
  let view = EMPTY_PLAN;
  for (const fact of facts) view = foldPlan(view, fact);
  return view;
}

/**
 * Returns the state of a plan after one more fact; the same object if the fact does not change it.
 */
export function foldPlan(view: PlanView, any: AnyFact): PlanView {
  const fact = PLAN.own(any);
  switch (fact?.type) {
    case 'run.started':
      return { ...view, edition: editionOf(fact.config) };
    case 'plan.staffed':
      return { ...view, staffed: fact };
    case 'question.looked-up':
      return { ...view, lookedUp: [...view.lookedUp.filter(({ id }) => id !== fact.id), fact] };
    case 'question.researched':
      return { ...view, researched: [...view.researched.filter(({ id }) => id !== fact.id), fact] };
    case 'context.gated':
      return {
        ...view,
        gated: [
          ...view.gated.filter(({ seat, round }) => seat !== fact.seat || round !== fact.round),
          fact,
        ],
      };
    case 'statements.made': {
      const { statements, refusals } = applyChanges(view.statements, fact);
      const conflicts = addWaysOut(view.conflicts, statements.slice(view.statements.length));
      return { ...view, statements, conflicts, refusals: [...view.refusals, ...refusals] };
    }
    case 'conflicts.examined':
      return {
        ...view,
        conflicts: fact.conflicts,
        examined: [...view.examined, fact],
        // If a search finds a conflict again, forget that a reader has called this conflict a misunderstanding.
        reread: view.reread.filter(({ conflict }) => !isFoundAgain(fact, conflict)),
      };
    case 'conflicts.answered':
      return { ...view, answers: [...view.answers, fact] };
    case 'conflict.decided':
      return applyDecision(view, fact);
    case 'conflict.reread':
      return { ...view, reread: [...view.reread, fact] };
    case 'must.asked':
      return { ...view, musts: [...view.musts, fact] };
    case 'seat.unheard':
      return { ...view, unheard: [...view.unheard, fact] };
    case 'plan.written':
      return { ...view, written: fact };
    case 'files.written': {
      const at = any.at;
      const written = fact.files.map(({ path, sha256 }) => [path, { sha256, at }] as const);
      return { ...view, files: new Map([...view.files, ...written]) };
    }
    default:
      return view;
  }
}

function isFoundAgain({ found, conflicts }: Examination, conflict: string): boolean {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  return found.some(
    (finding) =>
      listNamedStatements(finding).filter((id) => options.includes(id)).length >=
      Math.min(2, options.length),
  );
}

/**
 * Turns what a model found in a search for conflicts into conflicts. Returns all conflicts known now, and the
 * refused findings. Unless the model found a contradiction that was planted to test it, its findings count as
 * unconfirmed. Before edition 3 of the rules, the findings of a model that missed the contradiction are
 * dropped, and no conflict is marked as unconfirmed.
 */
export function takeFound(
  { conflicts: known, statements, edition }: PlanView,
  { found, control, round }: Pick<FactOf<'conflicts.examined'>, 'found' | 'control' | 'round'>,
): Pick<FactOf<'conflicts.examined'>, 'conflicts' | 'refused'> {
  const isMissed = control?.seen === false;
  const planted = new Set(control === undefined ? [] : [control.planted]);
  return takeConflicts(known, isMissed && edition < 3 ? [] : found, statements, round, planted, {
    edition,
    isUnconfirmed: control?.seen !== true,
    turned: control?.of,
  });
}

/**
 * Applies a decision: withdraws the other options of the question. If the question was decided before, what
 * the earlier choice withdrew is restored first, unless another question's choice withdraws it as well.
 */
function applyDecision(view: PlanView, decision: FactOf<'conflict.decided'>): PlanView {
  const isAgain = view.decided.some(({ conflict }) => conflict === decision.conflict);
  const decided = [
    ...view.decided.filter(({ conflict }) => conflict !== decision.conflict),
    decision,
  ];
  const statements = isAgain
    ? decided.reduce<readonly Statement[]>(
        (known, each) => withdrawOtherOptions(known, each, view),
        view.statements.map(restoreStatement),
      )
    : withdrawOtherOptions(view.statements, decision, view);
  return { ...view, decided, statements };
}

/** Returns the statements without the other options of a question that was decided. */
function withdrawOtherOptions(
  statements: readonly Statement[],
  { conflict, option, round, by }: FactOf<'conflict.decided'>,
  { conflicts }: PlanView,
): readonly Statement[] {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  if (option === undefined || by === 'default' || !options.includes(option)) return statements;
  return statements.map((each) =>
    options.includes(each.id) && each.id !== option && each.state === 'live'
      ? withdrawStatement(each, { round, conflict, why: `${option} was chosen`, by })
      : each,
  );
}

/** Restores a statement that a choice withdrew. A statement that its own seat withdrew stays withdrawn. */
function restoreStatement(statement: Statement): Statement {
  const { withdrawal, ...rest } = statement;
  return withdrawal === undefined || withdrawal.by === 'owner'
    ? statement
    : { ...rest, state: 'live' };
}

/**
 * Returns whether the last model that looked for conflicts in a round found the contradiction that
 * was planted to test it. False if none was planted, or nobody looked.
 */
export function isExamined({ examined }: PlanView, round: number): boolean {
  const last = examined.findLast(
    (examination) => examination.round === round && examination.seat === undefined,
  );
  return last?.control?.seen === true;
}

/** Returns the seats (`role`) that were chosen but have made no statement, each with the reason (`why`). */
export function findSeatsNotHeard({ staffed, statements, unheard }: PlanView) {
  const heard = new Set(statements.map(({ role }) => role));
  // The statements of all seats are first recorded at the end of the first round. Only after the first round do
  // missing statements mean that a seat said nothing.
  const isTooEarly = statements.length === 0 && unheard.length === 0;
  const silent = isTooEarly ? 'no statements were recorded so far' : 'it said nothing';
  return (staffed?.seats ?? []).flatMap(({ seat: role }) => {
    const why = unheard.findLast((seat) => seat.role === role)?.why ?? silent;
    return heard.has(role) ? [] : [{ role, why }];
  });
}
