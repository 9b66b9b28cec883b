/** How a plan stands, folded from its facts: what the prompts, the tabs, the report and the views read. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Edition, editionOf, PERSON } from './config.ts';
import { type FactOf, PLAN } from './facts.ts';
import { type Conflict, namedIn, offer, takeConflicts } from './rules/conflicts.ts';
import { type SeatAnswers, type Standing, settle } from './rules/settle.ts';
import type { SpecBasis } from './rules/spec.ts';
import { apply, live, type Refusal, type Statement, withdraw } from './rules/statements.ts';

export type Examination = FactOf<'conflicts.examined'>;

export interface PlanView {
  readonly edition: Edition;
  readonly staffed?: FactOf<'plan.staffed'> | undefined;
  readonly lookedUp: readonly FactOf<'question.looked-up'>[];
  readonly researched: readonly FactOf<'question.researched'>[];
  readonly gated: readonly FactOf<'context.gated'>[];
  readonly statements: readonly Statement[];
  readonly refusals: readonly Refusal[];
  readonly conflicts: readonly Conflict[];
  readonly examined: readonly Examination[];
  readonly answers: readonly SeatAnswers[];
  readonly decided: readonly FactOf<'conflict.decided'>[];
  readonly reread: readonly FactOf<'conflict.reread'>[];
  readonly musts: readonly FactOf<'must.asked'>[];
  readonly unheard: readonly FactOf<'seat.unheard'>[];
  readonly written?: FactOf<'plan.written'> | undefined;
  /** Files as they were last written into the repository, by path. */
  readonly files: ReadonlyMap<string, WrittenFile>;
}

/** `at`: when, in ISO 8601. */
interface WrittenFile {
  readonly sha256: string;
  readonly at: string;
}

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
      const { statements, refusals } = apply(view.statements, one);
      const conflicts = offer(view.conflicts, statements.slice(view.statements.length));
      return { ...view, statements, conflicts, refusals: [...view.refusals, ...refusals] };
    }
    case 'conflicts.examined':
      return {
        ...view,
        conflicts: one.conflicts,
        examined: [...view.examined, one],
        // What is found again, after it was called misread, is open again.
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
      namedIn(one).filter((id) => options.includes(id)).length >= Math.min(2, options.length),
  );
}

/**
 * What code makes of what a detector found. What one found that missed the control is unconfirmed; before
 * the third edition it was no finding, and nobody was asked about it.
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
 * A choice takes the other options out, whoever's they are. A question that is decided again first brings back
 * what its earlier choice took, except for what another question's choice takes as well.
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

/** Brings back what a choice took out; what its own seat withdrew stays out. */
function restore(one: Statement): Statement {
  const { withdrawal, ...rest } = one;
  return withdrawal === undefined || withdrawal.by === 'owner' ? one : { ...rest, state: 'live' };
}

/** How each question stands, with what was decided. */
export function standingsOf(view: PlanView): Standing[] {
  const { conflicts, statements, answers, decided, reread, edition } = view;
  const choices = new Map(decided.map((one) => [one.conflict, one]));
  const standings = settle(conflicts, statements, answers, edition).map((standing): Standing => {
    const { option, by, why: refused, together } = choices.get(standing.conflict) ?? {};
    const misread = reread.find(
      ({ conflict, isMisread }) => conflict === standing.conflict && isMisread,
    );
    if (misread !== undefined && standing.state !== 'settled')
      return { ...standing, state: 'settled', outcome: undefined, why: `misread: ${misread.why}` };
    if (together !== undefined && by === 'person') return standTogether(standing, together, view);
    // What the person has left open is not settled by an agreement that code did not carry out.
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
  });
  const standing = new Set(live(statements).map(({ id }) => id));
  const left = conflicts.map((one) => ({
    ...one,
    options: one.options.filter((id) => standing.has(id)),
  }));
  return refuseClashes(standings, left, choices, edition);
}

/** Returns whether a question is settled on one option while another one of its options stands. */
function isBetweenOptions(
  { conflict, state, outcome }: Standing,
  { conflicts, statements }: PlanView,
): boolean {
  const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
  const standing = live(statements).filter(({ id }) => options.includes(id));
  return state === 'settled' && outcome !== undefined && 'option' in outcome && standing.length > 1;
}

/** Returns how a question stands of which the person has said that its options go together. */
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

/** What is chosen in one question and given up in another is for the person to choose. `conflicts`: with the options that stand. */
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

/** Returns why a choice would give up what another question keeps, all of whose options go together. */
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

/** What would fall for a choice and is an option of a question that is not settled is not given up by the way. */
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

/** Whether the last look at a round's statements was one that had shown that it can see. */
export function isExamined({ examined }: PlanView, round: number): boolean {
  const last = examined.findLast((one) => one.round === round && one.seat === undefined);
  return last?.control?.seen === true;
}

/** What the spec of this plan accounts for. */
export function basisOf(view: PlanView): SpecBasis {
  const { statements, conflicts, musts, edition } = view;
  const standings = standingsOf(view);
  return { statements, conflicts, standings, notHeard: notHeardIn(view), musts, edition };
}

/** Seats that were called in and never said anything, and why. */
export function notHeardIn({ staffed, statements, unheard }: PlanView) {
  const heard = new Set(statements.map(({ role }) => role));
  return (staffed?.seats ?? []).flatMap(({ seat: role }) => {
    const why = unheard.findLast((one) => one.role === role)?.why ?? 'it said nothing';
    return heard.has(role) ? [] : [{ role, why }];
  });
}
