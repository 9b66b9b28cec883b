/** Groups outcomes by arm, unit and repetition, and computes the scores of units. */
import { DeliberateError } from '../../kernel/errors.ts';
import type { Outcome } from '../outcome.ts';
import { computeAverage } from './mean.ts';

/** The outcomes of an arm for a unit in one repetition: one, or three for a memo. */
type Cell = readonly Outcome[];
type Cells = ReadonlyMap<number, Cell>;
/**
 * All answers of one way of asking (arm), by statistical unit: an item, or a memo with its
 * variants.
 */
export type Units = ReadonlyMap<string, Cells>;
/** All answers, by the name of the arm and then by unit. */
export type AnswersByArm = ReadonlyMap<string, Units>;

/**
 * How unreadable and missing answers count. `dropped`: a cell with such an answer is left out, and
 * with it the cell that it would be compared with.
 */
interface Reading {
  readonly name: string;
  readonly unreadable: 'wrong' | 'dropped';
  readonly missing: 'wrong' | 'dropped';
}

/**
 * The main way of counting: an answer in the wrong form counts as wrong, as it would for a user,
 * and a missing answer is left out.
 */
export const AS_SCORED: Reading = { name: 'as scored', unreadable: 'wrong', missing: 'dropped' };
/**
 * The ways of counting unreadable and missing answers. The evaluation gives a verdict only if all of
 * these ways lead to the same verdict.
 */
export const READINGS: readonly Reading[] = [
  AS_SCORED,
  { name: 'without unreadable answers', unreadable: 'dropped', missing: 'dropped' },
  { name: 'with missing answers counted as wrong', unreadable: 'wrong', missing: 'wrong' },
];

const NONE: Units = new Map();

/**
 * Groups answers by arm and unit.
 * @throws Error if an arm has answered an item twice in one repetition, since both would count
 */
export function gatherCells(outcomes: readonly Outcome[]): AnswersByArm {
  const arms = new Map<string, Map<string, Map<number, Outcome[]>>>();
  for (const outcome of outcomes) {
    const units = getOrAdd(arms, outcome.arm, () => new Map<string, Map<number, Outcome[]>>());
    const cells = getOrAdd(units, outcome.unit, () => new Map<number, Outcome[]>());
    const cell = getOrAdd(cells, outcome.seed, (): Outcome[] => []);
    if (cell.some(({ item }) => item === outcome.item))
      throw new DeliberateError(
        'answered-twice',
        `${outcome.arm} has two answers to item ${outcome.item} in repetition ${outcome.seed}`,
        'Keep one of them.',
      );
    cell.push(outcome);
  }
  return arms;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Returns the answers of an arm by unit; empty for an unknown arm. */
export function unitsOf(gathered: AnswersByArm, arm: string): Units {
  return gathered.get(arm) ?? NONE;
}

/**
 * Returns the score of a cell: 1 or 0 for an item. For a memo, the score is 1 if the flaw was found and
 * otherwise 0, minus the share of false alarms in the other variants: always answering NONE scores
 * 0, and always naming a sentence gains nothing. Returns undefined if the reading drops an answer
 * of the cell, or if `scoreOf` does.
 */
function scoreCell(cell: Cell, reading: Reading): number | undefined {
  if (cell.some(({ state }) => isDropped(state, reading))) return undefined;
  const [first] = cell;
  // Most cells hold a single answer, to an item without variants. Score it here, faster than `scoreOf` would.
  if (cell.length === 1 && first !== undefined && first.variant === undefined)
    return Number(isRight(first));
  return scoreOf(cell.map((outcome) => ({ variant: outcome.variant, isRight: isRight(outcome) })));
}

/**
 * Returns the score of the answers to one item, or to the variants of one memo. For items without
 * variants, the score is the share of right answers, 0 to 1. For memos, it is the share of flaws that
 * were found minus the share of false alarms, −1 to 1. Returns undefined if there are no answers, or if
 * a memo lacks an answer with the flaw or one without.
 */
export function scoreOf(
  answers: readonly { readonly variant?: string | undefined; readonly isRight: boolean }[],
): number | undefined {
  if (answers.every(({ variant }) => variant === undefined)) return shareRight(answers);
  const found = shareRight(answers.filter(({ variant }) => variant === 'flaw'));
  const quiet = shareRight(
    answers.filter(({ variant }) => variant === 'decoy' || variant === 'clean'),
  );
  return found === undefined || quiet === undefined ? undefined : found - (1 - quiet);
}

function shareRight(answers: readonly Pick<Outcome, 'isRight'>[]): number | undefined {
  return answers.length === 0
    ? undefined
    : computeAverage(answers.map((answer) => Number(answer.isRight)));
}

/** Returns whether an answer is right. A missing or unreadable answer is not. */
export function isRight({ state, isRight: right }: Outcome): boolean {
  return state === 'answered' && right;
}

function isDropped(state: Outcome['state'], reading: Reading): boolean {
  return state !== 'answered' && reading[state] === 'dropped';
}

/**
 * Returns the score of each unit of an arm, averaged over repetitions. `reading` is the way of
 * counting unreadable and missing answers; units of which it drops everything are left out.
 */
export function valuesOf(units: Units, reading: Reading): number[] {
  return [...units.values()].flatMap((cells) => {
    const values = [...cells.values()].flatMap((cell) => scoreCell(cell, reading) ?? []);
    return values.length === 0 ? [] : [computeAverage(values)];
  });
}

/**
 * Returns, for each unit for which both arms have a score in the same repetition, the first arm's score
 * minus the second arm's score, averaged over these repetitions.
 */
export function differencesOf(
  units: Units,
  other: Units,
  reading: Reading,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [unit, cells] of units) {
    const against = other.get(unit);
    if (against === undefined) continue;
    const pairs = [...cells].flatMap(([seed, cell]) => {
      const score = scoreCell(cell, reading);
      const otherScore = scoreCell(against.get(seed) ?? [], reading);
      return score === undefined || otherScore === undefined ? [] : [score - otherScore];
    });
    if (pairs.length > 0) found.set(unit, computeAverage(pairs));
  }
  return found;
}

/** Returns the number of units that both arms were asked in the same repetition, whatever the answers. */
export function countUnitsAskedOfBoth(units: Units, other: Units): number {
  return [...units].filter(([unit, cells]) => {
    const against = other.get(unit);
    return against !== undefined && [...cells.keys()].some((seed) => against.has(seed));
  }).length;
}

/** Returns how many turns both arms were asked, whatever the answers. A turn is one unit in one repetition. */
export function countTurnsOfBoth(units: Units, other: Units): number {
  return [...units].reduce((sum, [unit, cells]) => {
    const against = other.get(unit);
    return sum + [...cells.keys()].filter((seed) => against?.has(seed)).length;
  }, 0);
}

/** How often the answers to repeated questions are equal. */
export interface Repeats {
  /** The number of units that any arm was asked several times. */
  readonly units: number;
  /** The number of pairs of an arm and a unit that was asked several times. */
  readonly asked: number;
  /** The number of these pairs in which all answers were equal. */
  readonly alike: number;
}

/**
 * Counts the units that an arm was asked in several repetitions, and how often this arm then gave equal
 * answers in all of them.
 */
export function countRepeats(gathered: AnswersByArm): Repeats {
  const repeated = [...gathered.values()].flatMap((units) =>
    [...units].filter(([, cells]) => cells.size > 1),
  );
  const alike = repeated.filter(
    ([, cells]) =>
      new Set([...cells.values()].map((cell) => JSON.stringify(listAnswers(cell)))).size === 1,
  );
  return {
    units: new Set(repeated.map(([unit]) => unit)).size,
    asked: repeated.length,
    alike: alike.length,
  };
}

function listAnswers(cell: Cell): unknown {
  return cell
    .map(({ item, state, answer }) => [item, state, answer])
    .sort(([item = ''], [other = '']) => ((item ?? '') < (other ?? '') ? -1 : 1));
}
