/** Folds a plan's facts into its present state, which prompts, tabs, the report and the views read. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Edition, editionOf, PERSON } from './config.ts';
import { type FactOf, PLAN } from './facts.ts';
import {
  addWaysOut,
  type Conflict,
  listNamedStatements,
  takeConflicts,
} from './rules/conflicts.ts';
import { type SeatAnswers, type Standing, settleQuestions } from './rules/settle.ts';
import type { SpecBasis } from './rules/spec.ts';
import {
  applyChanges,
  findLiveStatements,
  type Refusal,
  type Statement,
  withdraw,
} from './rules/statements.ts';

/** A recorded search for conflicts by one model. */
export type Examination = FactOf<'conflicts.examined'>;

/** The present state of a plan. Lists are in the order of the facts. */
export interface PlanView {
  readonly edition: Edition;
  /** Which specialists were chosen, and why. Absent until they are. */
  readonly staffed?: FactOf<'plan.staffed'> | undefined;
  /** The seats' questions before the first round, with what the documents answer. */
  readonly lookedUp: readonly FactOf<'question.looked-up'>[];
  /** What research in the repository found for unanswered questions. */
  readonly researched: readonly FactOf<'question.researched'>[];
  /** Which sections of documents each seat was shown. */
  readonly gated: readonly FactOf<'context.gated'>[];
  readonly statements: readonly Statement[];
  /** The changes by seats that code refused. */
  readonly refusals: readonly Refusal[];
  readonly conflicts: readonly Conflict[];
  /** The searches for conflicts. */
  readonly examined: readonly Examination[];
  readonly answers: readonly SeatAnswers[];
  /** What the person decided on questions. */
  readonly decided: readonly FactOf<'conflict.decided'>[];
  /** The results of reading questions again that a seat called misread. */
  readonly reread: readonly FactOf<'conflict.reread'>[];
  /**
   * Whether seats insist on constraints that they must not give up unasked, as they said when asked
   * alone.
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
  for (const one of facts) view = foldPlan(view, one);
  return view;
}

/**
 * Updates the state of a plan by one fact. Returns the same object if plans do not record such
 * facts.
 */
export function foldPlan(view: PlanView, any: AnyFact): PlanView {
  const one = PLAN.own(any);
  switch (one?.type) {
    case 'run.started':
      return { ...view, edition: editionOf(one.config) };
    case 'plan.staffed':
      return { ...view, staffed: one };
    case 'question.looked-up':
      return { ...view, lookedUp: [...view.lookedUp.filter(({ id }) => id !== one.id), one] };
    case 'question.researched':
      return { ...view, researched: [...view.researched.filter(({ id }) => id !== one.id), one] };
    case 'context.gated':
      return {
        ...view,
        gated: [
          ...view.gated.filter(({ seat, round }) => seat !== one.seat || round !== one.round),
          one,
        ],
      };
    case 'statements.made': {
      const { statements, refusals } = applyChanges(view.statements, one);
      const conflicts = addWaysOut(view.conflicts, statements.slice(view.statements.length));
      return { ...view, statements, conflicts, refusals: [...view.refusals, ...refusals] };
    }
    case 'conflicts.examined':
      return {
        ...view,
        conflicts: one.conflicts,
        examined: [...view.examined, one],
        // A conflict that is found again after it was called misread is open again.
        reread: view.reread.filter(({ conflict }) => !isFoundAgain(one, conflict)),
      };
    case 'conflicts.answered':
      return { ...view, answers: [...view.answers, one] };
    case 'conflict.decided':
      return decide(view, one);
    case 'conflict.reread':
      return { ...view, reread: [...view.reread, one] };
    case 'must.asked':
      return { ...view, musts: [...view.musts, one] };
    case 'seat.unheard':
      return { ...view, unheard: [...view.unheard, one] };
    case 'plan.written':
      return { ...view, written: one };
    case 'files.written': {
      const at = any.at;
      const written = one.files.map(({ path, sha256 }) => [path, { sha256, at }] as const);
      return { ...view, files: new Map([...view.files, ...written]) };
    }
    default:
      return view;
  }
}

function isFoundAgain({ found, conflicts }: Examination, conflict: string): boolean {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  return found.some(
    (one) =>
      listNamedStatements(one).filter((id) => options.includes(id)).length >=
      Math.min(2, options.length),
  );
}

/**
 * Converts what a model found in a search for conflicts to conflicts and refusals. The findings
 * count as unconfirmed if the model missed the contradiction that was planted to test it; before
 * edition 3 of the rules they are then dropped.
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
function decide(view: PlanView, one: FactOf<'conflict.decided'>): PlanView {
  const isAgain = view.decided.some(({ conflict }) => conflict === one.conflict);
  const decided = [...view.decided.filter(({ conflict }) => conflict !== one.conflict), one];
  const statements = isAgain
    ? decided.reduce<readonly Statement[]>(
        (known, each) => choose(known, each, view),
        view.statements.map(restore),
      )
    : choose(view.statements, one, view);
  return { ...view, decided, statements };
}

/** Returns the statements without the other options of a question that was decided. */
function choose(
  statements: readonly Statement[],
  { conflict, option, round, by }: FactOf<'conflict.decided'>,
  { conflicts }: PlanView,
): readonly Statement[] {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  if (option === undefined || by === 'default' || !options.includes(option)) return statements;
  return statements.map((each) =>
    options.includes(each.id) && each.id !== option && each.state === 'live'
      ? withdraw(each, { round, conflict, why: `${option} was chosen`, by })
      : each,
  );
}

/** Restores a statement that a choice withdrew. A statement that its own seat withdrew stays withdrawn. */
function restore(one: Statement): Statement {
  const { withdrawal, ...rest } = one;
  return withdrawal === undefined || withdrawal.by === 'owner' ? one : { ...rest, state: 'live' };
}

/** Returns for each question whether it is open, settled or left to the person, with what was decided. */
export function deriveStandings(view: PlanView): Standing[] {
  const { conflicts, statements, answers, decided, reread, edition } = view;
  const choices = new Map(decided.map((one) => [one.conflict, one]));
  const standings = settleQuestions(conflicts, statements, answers, edition).map(
    (standing): Standing => {
      const { option, by, why: refused, together } = choices.get(standing.conflict) ?? {};
      const misread = reread.find(
        ({ conflict, isMisread }) => conflict === standing.conflict && isMisread,
      );
      if (misread !== undefined && standing.state !== 'settled')
        return {
          ...standing,
          state: 'settled',
          outcome: undefined,
          why: `misread: ${misread.why}`,
        };
      if (together !== undefined && by === 'person') return standTogether(standing, together, view);
      // If the person left a question open, an agreement that was not carried out does not settle it.
      if (by === 'default' && edition >= 5 && isBetweenOptions(standing, view))
        return { ...standing, state: 'person', why: refused ?? 'the person left it open' };
      if (option === undefined || by === 'default')
        return refused === undefined || standing.state === 'settled'
          ? standing
          : { ...standing, why: refused };
      const { withdrawal } = statements.find(({ id }) => id === option) ?? {};
      if (withdrawal !== undefined) {
        const where = withdrawal.conflict === undefined ? '' : ` in ${withdrawal.conflict}`;
        const fell = `${option} was chosen here and given up${where}`;
        return { ...standing, state: 'person', outcome: undefined, why: fell };
      }
      const why = by === 'person' ? 'decided by the person' : `all accept ${option}`;
      return { ...standing, state: 'settled', outcome: { option }, why };
    },
  );
  const standing = new Set(findLiveStatements(statements).map(({ id }) => id));
  const left = conflicts.map((one) => ({
    ...one,
    options: one.options.filter((id) => standing.has(id)),
  }));
  return refuseClashes(standings, left, choices, edition);
}

/** Returns whether a question is settled on one option while another of its options is not withdrawn. */
function isBetweenOptions(
  { conflict, state, outcome }: Standing,
  { conflicts, statements }: PlanView,
): boolean {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  const standing = findLiveStatements(statements).filter(({ id }) => options.includes(id));
  return state === 'settled' && outcome !== undefined && 'option' in outcome && standing.length > 1;
}

/**
 * Returns the standing of a question whose options the person says go together. If an option was added
 * later, the person is asked again.
 */
function standTogether(
  standing: Standing,
  { how, options }: NonNullable<FactOf<'conflict.decided'>['together']>,
  { conflicts, statements }: PlanView,
): Standing {
  const all = conflicts.find(({ id }) => id === standing.conflict)?.options ?? [];
  const byId = new Map(statements.map((one) => [one.id, one]));
  const added = all.filter((id) => !options.includes(id) && byId.get(id)?.state === 'live');
  if (added.length > 0) {
    const why = `${added.join(' and ')} came to it after the person had said that the others go together`;
    return { ...standing, state: 'person', outcome: undefined, why };
  }
  return {
    ...standing,
    state: 'settled',
    outcome: { compatible: [{ role: PERSON, how }] },
    why: 'the person says that they go together',
  };
}

/**
 * Leaves to the person the questions in which an option is chosen that another question gives up.
 * `conflicts` have only options that are not withdrawn.
 */
function refuseClashes(
  standings: readonly Standing[],
  conflicts: readonly Conflict[],
  choices: ReadonlyMap<string, unknown>,
  edition: Edition,
): Standing[] {
  const chosen = new Map(
    standings.flatMap(({ conflict, state, outcome }) =>
      state === 'settled' && outcome !== undefined && 'option' in outcome
        ? [[conflict, outcome.option] as const]
        : [],
    ),
  );
  const clashOf = (conflict: string): string | undefined => {
    const mine = chosen.get(conflict);
    if (mine === undefined || choices.has(conflict)) return undefined;
    const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
    const torn = tornBy(mine, options, conflict, standings, conflicts);
    if (torn !== undefined) return torn;
    const kept =
      edition < 5 ? undefined : keptTogether(mine, options, conflict, standings, conflicts);
    if (kept !== undefined) return kept;
    const other = [...chosen].find(
      ([id, theirs]) =>
        id !== conflict &&
        theirs !== mine &&
        (options.includes(theirs) ||
          conflicts.find((one) => one.id === id)?.options.includes(mine) === true),
    );
    return other === undefined
      ? undefined
      : `${mine} is chosen here and ${other[1]} in ${other[0]}`;
  };
  return standings.map((standing) => {
    const why = clashOf(standing.conflict);
    return why === undefined ? standing : { ...standing, state: 'person', why };
  });
}

/**
 * Returns why a choice would give up an option of another question that is settled by keeping all its
 * options; undefined if it would not.
 */
function keptTogether(
  chosen: string,
  options: readonly string[],
  conflict: string,
  standings: readonly Standing[],
  conflicts: readonly Conflict[],
): string | undefined {
  for (const { conflict: id, state, outcome } of standings) {
    if (id === conflict || state !== 'settled') continue;
    if (outcome === undefined || !('compatible' in outcome)) continue;
    const kept = conflicts.find((one) => one.id === id)?.options ?? [];
    const falling = options.find((option) => option !== chosen && kept.includes(option));
    if (falling !== undefined)
      return `${falling} would fall for ${chosen}, and ${id} keeps it, where all go together`;
  }
  return undefined;
}

/**
 * Returns why a choice would give up an option of another question that is not settled; undefined if it
 * would not.
 */
function tornBy(
  chosen: string,
  options: readonly string[],
  conflict: string,
  standings: readonly Standing[],
  conflicts: readonly Conflict[],
): string | undefined {
  const open = new Set(standings.flatMap((one) => (one.state === 'settled' ? [] : [one.conflict])));
  for (const { id, options: theirs } of conflicts) {
    if (id === conflict || !open.has(id)) continue;
    const falling = options.find((option) => option !== chosen && theirs.includes(option));
    if (falling !== undefined)
      return `${falling} would fall for ${chosen}, and ${id} is about it as well`;
  }
  return undefined;
}

/**
 * Returns whether the last model that looked for conflicts in a round found the contradiction that
 * was planted to test it.
 */
export function isExamined({ examined }: PlanView, round: number): boolean {
  const last = examined.findLast((one) => one.round === round && one.seat === undefined);
  return last?.control?.seen === true;
}

/** Returns everything that the spec (the finished plan) has to account for. */
export function deriveSpecBasis(view: PlanView): SpecBasis {
  const { statements, conflicts, musts, edition } = view;
  const standings = deriveStandings(view);
  return { statements, conflicts, standings, notHeard: findSeatsNotHeard(view), musts, edition };
}

/** Returns the seats that were chosen and never made a statement, with the reasons. */
export function findSeatsNotHeard({ staffed, statements, unheard }: PlanView) {
  const heard = new Set(statements.map(({ role }) => role));
  // The statements of all seats are recorded together, so that a stopped run may have none of them.
  const isTooEarly = statements.length === 0 && unheard.length === 0;
  const silent = isTooEarly ? 'no statements were recorded so far' : 'it said nothing';
  return (staffed?.seats ?? []).flatMap(({ seat: role }) => {
    const why = unheard.findLast((one) => one.role === role)?.why ?? silent;
    return heard.has(role) ? [] : [{ role, why }];
  });
}
