/**
 * Judges a contest of two sides before jurors who vote before and after, by how votes changed and not by which
 * side was preferred from the start. In two legs, models change sides and jurors the order of reading: effects
 * of a strong speaker or of the order cancel, effects of the case add up.
 */
import { plainWords } from '../text/words/quotation.ts';
import { bySeat, compareText } from './order.ts';

export type Side = 'for' | 'against';
export type Vote = Side | 'undecided';

/** The value of a vote: a juror who changes sides moves a leg by 2, one who decides by 1. */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['for', 1],
  ['undecided', 0],
  ['against', -1],
]);

/** The fewest jurors with both votes (docs/methods.md). */
const LEAST_JURORS = 3;

export interface JurorVote {
  readonly juror: string;
  readonly vote: Vote;
  /** Ids of the arguments that moved the juror; unknown ids are listed in `invented`. */
  readonly movedBy?: readonly string[];
}

/**
 * Why a leg does not count: a speaker was missing, both sides argued the same, or the leg repeats the other
 * one.
 */
type LegFlaw = 'sole speaker' | 'one side' | 'repeated';

export interface Leg {
  readonly after: readonly JurorVote[];
  /** Ids of the arguments made in this leg. */
  readonly arguments?: readonly string[];
  /** Why the leg does not count; undefined if it does. */
  readonly flaw?: LegFlaw;
}

export interface Pair {
  readonly juror: string;
  readonly before: Vote;
  readonly after: Vote;
  /** The juror's change, −2 to 2; above 0 towards `for`. */
  readonly shift: number;
  /** Arguments of this leg that the juror names. */
  readonly movedBy: readonly string[];
  /** Ids that the juror names and that are no argument of the leg. */
  readonly invented: readonly string[];
}

export interface LegResult {
  /** Votes before and after, by juror. */
  readonly pairs: readonly Pair[];
  /** Jurors who voted before but not, or not legibly, after. */
  readonly missing: readonly string[];
  /** The sum of all changes. */
  readonly sum: number;
  readonly leans: Side | undefined;
  readonly flaw: LegFlaw | 'few jurors' | undefined;
}

export interface Contest {
  /**
   * The winner. `open`: a leg is missing or flawed, so nothing was measured. `draw`: both were measured, and
   * too little changed.
   */
  readonly result: Side | 'draw' | 'open';
  readonly why:
    | 'both legs'
    | 'legs differ'
    | 'too little moved'
    | 'nothing moved'
    | 'leg missing'
    | 'leg flawed';
  readonly legs: readonly LegResult[];
  /** The sum over both legs; above 0 towards `for`. */
  readonly sum: number;
  /** How many jurors have both votes in either leg; the sum of a winner must be at least as large. */
  readonly jurors: number;
  /** The side for which all had voted before, so that it could not gain. */
  readonly couldNotGain: Side | undefined;
}

/**
 * Judges the contest. A side wins if both legs lean to it and the sum is at least the number of jurors, a
 * quarter of the possible change. If five jurors first vote by chance and then change at random one time in
 * ten, a winner is named in about 2 % of debates, but in 6 % if all voted alike before, because chance can then
 * only move them one way; `couldNotGain` must be reported with such a result.
 */
export function judgeContest(before: readonly JurorVote[], legs: readonly Leg[]): Contest {
  const first = castVotes(before);
  const results = legs.map((leg) => readLeg(first, leg));
  const sum = results.reduce((all, leg) => all + leg.sum, 0);
  const jurors = new Set(results.flatMap(({ pairs }) => pairs.map(({ juror }) => juror))).size;
  const couldNotGain = findCeiling([...first.values()]);
  return { ...judge(results, sum, jurors), legs: results, sum, jurors, couldNotGain };
}

/**
 * Returns whether both legs have the same speeches, given in the same order of sides. The models that changed
 * sides then argue identically, and the second leg only repeats the first.
 */
export function isRepeated(one: readonly string[], other: readonly string[]): boolean {
  const words = (speech: string): string => plainWords(speech).join(' ');
  return (
    one.length > 0 &&
    one.length === other.length &&
    one.every((speech, index) => words(speech) === words(other[index] ?? ''))
  );
}

/**
 * Returns whether every argument of one side is, word for word, also one of the other side's. The sides then do
 * not contradict each other, and no vote can be due to either.
 */
export function argueTheSame(one: readonly string[], other: readonly string[]): boolean {
  const words = (texts: readonly string[]) => texts.map((text) => plainWords(text).join(' '));
  const [left, right] = [words(one), words(other)];
  if (left.length === 0 || right.length === 0) return false;
  return left.every((text) => right.includes(text)) || right.every((text) => left.includes(text));
}

function judge(
  legs: readonly LegResult[],
  sum: number,
  jurors: number,
): Pick<Contest, 'result' | 'why'> {
  const [one, two] = legs;
  if (one === undefined || two === undefined || legs.length !== 2)
    return { result: 'open', why: 'leg missing' };
  if (one.flaw !== undefined || two.flaw !== undefined)
    return { result: 'open', why: 'leg flawed' };
  if (one.leans === undefined && two.leans === undefined)
    return { result: 'draw', why: 'nothing moved' };
  if (one.leans === undefined || one.leans !== two.leans)
    return { result: 'draw', why: 'legs differ' };
  if (Math.abs(sum) < jurors) return { result: 'draw', why: 'too little moved' };
  return { result: one.leans, why: 'both legs' };
}

function readLeg(before: ReadonlyMap<string, JurorVote>, leg: Leg): LegResult {
  const after = castVotes(leg.after);
  const known = new Set(leg.arguments ?? []);
  const jurors = [...before.keys()].sort(compareText);
  const pairs = jurors.flatMap((juror): Pair[] => {
    const [was, is] = [before.get(juror), after.get(juror)];
    if (was === undefined || is === undefined) return [];
    const named = [...new Set(is.movedBy ?? [])];
    return [
      {
        juror,
        before: was.vote,
        after: is.vote,
        shift: (COUNTS.get(is.vote) ?? 0) - (COUNTS.get(was.vote) ?? 0),
        movedBy: named.filter((id) => known.has(id)),
        invented: named.filter((id) => !known.has(id)),
      },
    ];
  });
  const sum = pairs.reduce((all, { shift }) => all + shift, 0);
  return {
    pairs,
    missing: jurors.filter((juror) => !after.has(juror)),
    sum,
    leans: sum > 0 ? 'for' : sum < 0 ? 'against' : undefined,
    flaw: leg.flaw ?? (pairs.length < LEAST_JURORS ? 'few jurors' : undefined),
  };
}

function findCeiling(before: readonly JurorVote[]): Side | undefined {
  const votes = new Set(before.map(({ vote }) => vote));
  if (votes.size !== 1) return undefined;
  return votes.has('for') ? 'for' : votes.has('against') ? 'against' : undefined;
}

/** Returns the votes by juror. Values other than the three are dropped. */
function castVotes(votes: readonly JurorVote[]): Map<string, JurorVote> {
  return bySeat(
    votes.filter(({ vote }) => COUNTS.has(vote)),
    ({ juror }) => juror,
    (one, other) => one.vote === other.vote,
  );
}
