/**
 * Judges the result of a panel from its facts alone. A pair is found if a question names both sides and at
 * most one unrelated statement, by a reader who had noticed the planted statement. It is settled correctly
 * if the question ended as the grounds decide or, if they do not decide, if neither side gave way.
 */
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { PLAN } from '../../src/protocols/plan/facts.ts';
import { type PlanView, planOf } from '../../src/protocols/plan/fold.ts';
import {
  type Conflict,
  listNamedStatements,
  listSeatsInConflict,
} from '../../src/protocols/plan/rules/conflicts.ts';
import { collectLastAnswers } from '../../src/protocols/plan/rules/settle.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { type HeldPanel, MEASURED } from './hold.ts';
import { idsOf, type Pair, type Panel } from './panels.ts';

/** How many unrelated statements a question may name. */
const MOST_BESIDE = 1;

/** A planted pair of conflicting statements, with what a plan made of it. */
export interface JudgedPair extends Pair {
  readonly panel: string;
  /** Whether the plan has a question about the pair, by a reader who had noticed the control. */
  readonly isFound: boolean;
  /**
   * Whether the pair was found, and its question ended as the given grounds decide. If they decide nothing, neither
   * side may have given way.
   */
  readonly isRight: boolean;
  /**
   * Whether all seats accept the right side and not the wrong one, but code left the question to the person.
   */
  readonly isAgreed: boolean;
  /** The id, state and reason of each question about the pair; empty if there is no such question. */
  readonly stands: string;
}

/** How the plan of a test panel compares with the conflicts that were planted in the panel. */
export interface JudgedPlan {
  /** The name of the panel. */
  readonly name: string;
  /** Why the run failed; absent if it did not. */
  readonly failed?: string | undefined;
  /** Calls without an answer, with the reason; what was missed because of them is not the model's fault. */
  readonly unanswered: readonly string[];
  /** The planted pairs of conflicting statements. */
  readonly pairs: readonly JudgedPair[];
  /** The decoys (pairs that can both be followed) that were taken for conflicts. */
  readonly taken: readonly (readonly [string, string])[];
  /** How many decoys the panel has. */
  readonly decoys: number;
  /** The statements of each other conflict found between seats, which may be justified. */
  readonly others: readonly (readonly string[])[];
  /** For each search for conflicts, whether its reader noticed the control. */
  readonly controls: readonly boolean[];
  /** How many calls the model under test had. */
  readonly calls: number;
  /** The tokens of these calls' prompts. */
  readonly input: number;
  /** The tokens of these calls' answers. */
  readonly output: number;
}

/**
 * Compares the conflicts that a plan found, and how it settled them, with the planted pairs and decoys of its
 * panel. Only the recorded facts count.
 */
export function judgePlanPairs({ panel, facts, ending }: HeldPanel): JudgedPlan {
  const view = planOf(facts);
  const named = findingsIn(panel, view);
  const isOfPair = (ids: readonly string[]) => panel.pairs.some((pair) => isIn(pair, ids));
  const taken = panel.decoys.filter((decoy) =>
    named.some((ids) => hasAll(ids, decoy) && !isOfPair(ids)),
  );
  const others = named.filter(
    (ids) =>
      new Set(ids.map(roleOf)).size > 1 &&
      !isOfPair(ids) &&
      !panel.decoys.some((decoy) => hasAll(ids, decoy)),
  );
  return {
    name: panel.name,
    ...(ending.status === 'done' ? {} : { failed: ending.reason ?? ending.status }),
    unanswered: [
      ...view.examined.flatMap(({ round, why }) =>
        why === undefined ? [] : [`round ${round}, chair: ${why}`],
      ),
      ...view.unheard.map(({ round, role, why }) => `round ${round}, ${role}: ${why}`),
      ...view.musts
        .filter(({ holds }) => holds === undefined)
        .map(({ statement, why }) => `${statement} alone: ${why}`),
    ],
    pairs: panel.pairs.map((pair) => judgePair(panel.name, pair, named, view)),
    taken,
    decoys: panel.decoys.length,
    others: [...new Map(others.map((ids) => [[...ids].sort().join(), ids])).values()],
    controls: view.examined.map(({ control }) => control?.seen === true),
    ...spentOn(facts),
  };
}

/**
 * Returns the panel's statements that each finding names, if its reader had noticed the planted statement.
 */
function findingsIn(panel: Panel, { examined }: PlanView): string[][] {
  const said = new Set(idsOf(panel));
  return examined.flatMap(({ control, found }) =>
    control?.seen === true
      ? found.map((finding) => listNamedStatements(finding).filter((id) => said.has(id)))
      : [],
  );
}

function isIn({ clash, third }: Pair, ids: readonly string[]): boolean {
  const beside = ids.filter((id) => !clash.includes(id) && id !== third);
  return hasAll(ids, clash) && beside.length <= MOST_BESIDE;
}

function judgePair(
  panel: string,
  pair: Pair,
  named: readonly (readonly string[])[],
  view: PlanView,
): JudgedPair {
  const about = view.conflicts.filter(({ options }) => hasAll(options, pair.clash));
  const isFound = about.length > 0 && named.some((ids) => isIn(pair, ids));
  const standings = deriveStandings(view);
  const stands = about.map(({ id, kind }) => {
    const { state, why } = standings.find(({ conflict }) => conflict === id) ?? {};
    return `${id} (${kind}): ${state}, ${why}`;
  });
  const { holds } = pair;
  const isRight = about.every((conflict) =>
    holds === undefined ? isLeftOpen(conflict, pair, view) : isDecided(conflict, pair, holds, view),
  );
  return {
    ...pair,
    panel,
    isFound,
    isRight: isFound && isRight,
    isAgreed:
      isFound &&
      holds !== undefined &&
      about.every((conflict) => isAgreed(conflict, pair, holds, view)),
    stands: stands.join('; '),
  };
}

/**
 * Returns whether the seats settled the question: the right side stands in its own words, and the wrong one
 * does not.
 */
function isDecided({ id }: Conflict, { clash }: Pair, holds: string, view: PlanView): boolean {
  const isSettled = deriveStandings(view).some(
    ({ conflict, state }) => conflict === id && state === 'settled',
  );
  return isSettled && clash.every((side) => isUntouched(side, view) === (side === holds));
}

function isAgreed(question: Conflict, { clash }: Pair, holds: string, view: PlanView): boolean {
  const standing = deriveStandings(view).find(({ conflict }) => conflict === question.id);
  return (
    standing?.state === 'person' &&
    listSeatsInConflict(question, view.statements).every((role) => {
      const accepts = standing.accepts[role] ?? [];
      return accepts.includes(holds) && !clash.some((id) => id !== holds && accepts.includes(id));
    })
  );
}

/**
 * Returns whether seats that answered left the question to the person: each side stands unchanged and is
 * held by its own seat, or has a way out that was offered since, and they do not both accept the other side
 * as well. A seat that accepts everything does not help the person.
 */
function isLeftOpen(question: Conflict, { clash }: Pair, view: PlanView): boolean {
  const standing = deriveStandings(view).find(({ conflict }) => conflict === question.id);
  if (standing === undefined || standing.state === 'settled') return false;
  const last = collectLastAnswers(view.answers);
  const haveAnswered = listSeatsInConflict(question, view.statements).every((role) => {
    const answer = last.get(role)?.get(question.id)?.answer;
    return answer !== undefined && 'accepts' in answer;
  });
  const acceptedBy = (id: string): readonly string[] => standing.accepts[roleOf(id)] ?? [];
  const waysOut = view.statements.flatMap(({ id, round }) => (round > 1 ? [id] : []));
  return (
    haveAnswered &&
    clash.every(
      (id) =>
        isUntouched(id, view) &&
        acceptedBy(id).some((option) => option === id || waysOut.includes(option)),
    ) &&
    !clash.every((id) => hasAll(acceptedBy(id), clash))
  );
}

/** Returns whether a statement stands in its original words. */
function isUntouched(id: string, { statements }: PlanView): boolean {
  return statements.some(
    (statement) =>
      statement.id === id && statement.state === 'live' && statement.earlier.length === 0,
  );
}

/** Returns the calls of the model under test, with the tokens that its provider counted. */
function spentOn(facts: readonly AnyFact[]): Pick<JudgedPlan, 'calls' | 'input' | 'output'> {
  const attempts = new Set<string>();
  const spent = { calls: 0, input: 0, output: 0 };
  for (const any of facts) {
    const fact = PLAN.own(any);
    if (fact?.type === 'step.started' && MEASURED.includes(fact.task ?? ''))
      attempts.add(fact.attempt);
    if (fact?.type !== 'call.completed' && fact?.type !== 'call.failed') continue;
    if (!attempts.has(fact.attempt)) continue;
    spent.calls += 1;
    spent.input += fact.usage.input;
    spent.output += fact.usage.output;
  }
  return spent;
}

function roleOf(id: string): string {
  return id.replace(/-\d+$/, '');
}

function hasAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every((item) => all.includes(item));
}
