/**
 * Derives how each question of a plan stands from the folded state: by the seats' answers, the person's
 * decisions, and what later choices give up.
 */
import { type Edition, PERSON } from './config.ts';
import type { FactOf } from './facts.ts';
import { findSeatsNotHeard, type PlanView } from './fold.ts';
import type { Conflict } from './rules/conflicts.ts';
import { type QuestionStanding, settleQuestions } from './rules/settle.ts';
import type { SpecBasis } from './rules/spec.ts';
import { findLiveStatements } from './rules/statements.ts';

/** Returns for each question whether it is open, settled or left to the person, with what was decided. */
export function deriveStandings(view: PlanView): QuestionStanding[] {
  const { conflicts, statements, answers, decided, reread, edition } = view;
  const choices = new Map(decided.map((choice) => [choice.conflict, choice]));
  const standings = settleQuestions(conflicts, statements, answers, edition).map(
    (standing): QuestionStanding => {
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
      // From edition 5 of the rules on, a question stays open if the person left it open or did not answer, even if
      // all seats accept the same one of its options.
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
  const left = conflicts.map((conflict) => ({
    ...conflict,
    options: conflict.options.filter((id) => standing.has(id)),
  }));
  return refuseClashes(standings, left, choices, edition);
}

/** Returns whether a question is settled on one option while another of its options is not withdrawn. */
function isBetweenOptions(
  { conflict, state, outcome }: QuestionStanding,
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
  standing: QuestionStanding,
  { how, options }: NonNullable<FactOf<'conflict.decided'>['together']>,
  { conflicts, statements }: PlanView,
): QuestionStanding {
  const all = conflicts.find(({ id }) => id === standing.conflict)?.options ?? [];
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
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
  standings: readonly QuestionStanding[],
  conflicts: readonly Conflict[],
  choices: ReadonlyMap<string, unknown>,
  edition: Edition,
): QuestionStanding[] {
  const chosen = new Map(
    standings.flatMap(({ conflict, state, outcome }) =>
      state === 'settled' && outcome !== undefined && 'option' in outcome
        ? [[conflict, outcome.option] as const]
        : [],
    ),
  );
  const clashOf = (conflict: string): string | undefined => {
    const ownOption = chosen.get(conflict);
    if (ownOption === undefined || choices.has(conflict)) return undefined;
    const options = conflicts.find(({ id }) => id === conflict)?.options ?? [];
    const torn = tornBy(ownOption, options, conflict, standings, conflicts);
    if (torn !== undefined) return torn;
    const kept =
      edition < 5 ? undefined : keptTogether(ownOption, options, conflict, standings, conflicts);
    if (kept !== undefined) return kept;
    const other = [...chosen].find(
      ([id, otherOption]) =>
        id !== conflict &&
        otherOption !== ownOption &&
        (options.includes(otherOption) ||
          conflicts.find((question) => question.id === id)?.options.includes(ownOption) === true),
    );
    return other === undefined
      ? undefined
      : `${ownOption} is chosen here and ${other[1]} in ${other[0]}`;
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
  standings: readonly QuestionStanding[],
  conflicts: readonly Conflict[],
): string | undefined {
  for (const { conflict: id, state, outcome } of standings) {
    if (id === conflict || state !== 'settled') continue;
    if (outcome === undefined || !('compatible' in outcome)) continue;
    const kept = conflicts.find((question) => question.id === id)?.options ?? [];
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
  standings: readonly QuestionStanding[],
  conflicts: readonly Conflict[],
): string | undefined {
  const open = new Set(
    standings.flatMap((standing) => (standing.state === 'settled' ? [] : [standing.conflict])),
  );
  for (const { id, options: otherOptions } of conflicts) {
    if (id === conflict || !open.has(id)) continue;
    const falling = options.find((option) => option !== chosen && otherOptions.includes(option));
    if (falling !== undefined)
      return `${falling} would fall for ${chosen}, and ${id} is about it as well`;
  }
  return undefined;
}

/**
 * Returns the results of the rounds, on which the spec (the finished plan) is based and against
 * which it is checked.
 */
export function deriveSpecBasis(view: PlanView): SpecBasis {
  const { statements, conflicts, musts, edition } = view;
  const standings = deriveStandings(view);
  return { statements, conflicts, standings, notHeard: findSeatsNotHeard(view), musts, edition };
}
