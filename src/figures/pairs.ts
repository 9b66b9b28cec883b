/**
 * Judges a contest of two sides before jurors who vote before and after, by how votes changed and not by which
 * side was preferred from the start. In two legs, models change sides and jurors the order of reading: effects
 * of a strong speaker or of the order cancel, effects of the case add up.
 */
import { plainWords } from '../text/words/quotation.ts';
import { compareText, indexBySeat } from './order.ts';

/** A side of a contest: for or against the motion. */
export type ContestSide = 'for' | 'against';
/** A juror's vote. */
export type Vote = ContestSide | 'undecided';

/** The value of a vote: a juror who changes sides moves a leg by 2, one who decides by 1. */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['for', 1],
  ['undecided', 0],
  ['against', -1],
]);

/** The fewest jurors with both votes (docs/methods.md). */
const LEAST_JURORS = 3;

/** A juror's vote, and the arguments that the juror names as its reason. */
export interface JurorVote {
  readonly juror: string;
  readonly vote: Vote;
  /**
   * Ids of the arguments that changed the juror's mind, as the juror names them. Some may not
   * exist.
   */
  readonly movedBy?: readonly string[];
}

/**
 * Why a leg does not count: a speaker was missing, both sides argued the same, or the leg repeats the other
 * one.
 */
type LegFlaw = 'sole speaker' | 'one side' | 'repeated';

/**
 * One half (leg) of a contest before jurors. In the second half, models change sides, and jurors
 * read the arguments in the other order.
 */
export interface ContestLeg {
  /** The votes after the leg. */
  readonly after: readonly JurorVote[];
  /** Ids of the arguments made in this leg. */
  readonly arguments?: readonly string[];
  /** Why the leg does not count; undefined if it does. */
  readonly flaw?: LegFlaw;
}

/** A juror's votes before the contest and after one of its halves (legs). */
export interface Pair {
  readonly juror: string;
  readonly before: Vote;
  readonly after: Vote;
  /** How far the vote changed, −2 to 2: 2 from `against` to `for`, 1 from `undecided` to `for`. */
  readonly shift: number;
  /** Ids of arguments of this leg that the juror names as reasons. */
  readonly movedBy: readonly string[];
  /** Ids that the juror names and that belong to no argument of this leg. */
  readonly invented: readonly string[];
}

/** How the jurors' votes changed in one half (leg) of a contest. */
export interface LegResult {
  /** The votes before the contest and after the leg, sorted by juror. */
  readonly pairs: readonly Pair[];
  /** Jurors who voted before the contest and gave no valid vote after the leg. */
  readonly missing: readonly string[];
  /** The sum of all changes; above 0 towards `for`. */
  readonly sum: number;
  /** The side that gained votes; undefined if neither did. */
  readonly leans: ContestSide | undefined;
  /** Why the leg does not count; undefined if it does. `few jurors`: fewer than three voted before and after. */
  readonly flaw: LegFlaw | 'few jurors' | undefined;
}

/** The result of a contest before jurors, which has two halves (legs). */
export interface Contest {
  /**
   * The winner. `draw`: too few votes changed, or the two legs disagree. `open`: a leg is missing
   * or does not count, so there is no result.
   */
  readonly result: ContestSide | 'draw' | 'open';
  /** The reason for the result. */
  readonly why:
    | 'both legs'
    | 'legs differ'
    | 'too little moved'
    | 'nothing moved'
    | 'leg missing'
    | 'leg flawed';
  readonly legs: readonly LegResult[];
  /** The sum of all changes in both legs; above 0 towards `for`. */
  readonly sum: number;
  /**
   * The number of jurors who voted both before the contest and after at least one leg. It is also the threshold:
   * a side wins only if `sum` is in its favor by at least this number.
   */
  readonly jurors: number;
  /**
   * The side that all jurors had voted for before the contest, so that it could gain no votes;
   * undefined if there was none.
   */
  readonly couldNotGain: ContestSide | undefined;
  /** The votes before the contest, also of jurors who did not vote later: first `against`, `for`, then `undecided`. */
  readonly before: readonly JurorVote['vote'][];
}

/**
 * Names the winner of a contest before jurors. A side wins if it gains votes in both legs, and the
 * sum of all changes is at least the number of jurors. In simulations with random votes, about 2 %
 * of the contests had a winner. There is a winner by chance in 6 % if all jurors voted for the same side
 * before the contest. The result then names this side as `couldNotGain`, because it had no votes to gain.
 *
 * @param before the votes before the contest
 * @param legs the two halves of the contest; with any other number, there is no result
 */
export function judgeContest(before: readonly JurorVote[], legs: readonly ContestLeg[]): Contest {
  const first = castVotes(before);
  const results = legs.map((leg) => readLeg(first, leg));
  const sum = results.reduce((all, leg) => all + leg.sum, 0);
  const jurors = new Set(results.flatMap(({ pairs }) => pairs.map(({ juror }) => juror))).size;
  const votes = [...first.values()];
  return {
    ...decideContest(results, sum, jurors),
    ...{ legs: results, sum, jurors },
    couldNotGain: findCeiling(votes),
    before: votes.map(({ vote }) => vote).sort(compareText),
  };
}

/**
 * Returns whether the second half (leg) of a contest has the same speeches as the first, word for word
 * and in the same order, so that the second half adds no information. Returns false if there are no speeches.
 */
export function isLegRepeated(leg: readonly string[], other: readonly string[]): boolean {
  const joinWords = (speech: string): string => plainWords(speech).join(' ');
  return (
    leg.length > 0 &&
    leg.length === other.length &&
    leg.every((speech, index) => joinWords(speech) === joinWords(other[index] ?? ''))
  );
}

/**
 * Returns whether all arguments of one side are, word for word, also arguments of the other side, so that
 * the votes say nothing about either side. Returns false if a side has no arguments.
 */
export function haveSameArguments(speeches: readonly string[], other: readonly string[]): boolean {
  const toPlainTexts = (texts: readonly string[]) =>
    texts.map((text) => plainWords(text).join(' '));
  const [left, right] = [toPlainTexts(speeches), toPlainTexts(other)];
  if (left.length === 0 || right.length === 0) return false;
  return left.every((text) => right.includes(text)) || right.every((text) => left.includes(text));
}

function decideContest(
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

function readLeg(before: ReadonlyMap<string, JurorVote>, leg: ContestLeg): LegResult {
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

function findCeiling(before: readonly JurorVote[]): ContestSide | undefined {
  const votes = new Set(before.map(({ vote }) => vote));
  if (votes.size !== 1) return undefined;
  return votes.has('for') ? 'for' : votes.has('against') ? 'against' : undefined;
}

/** Returns the votes by juror. Values other than the three are dropped. */
function castVotes(votes: readonly JurorVote[]): Map<string, JurorVote> {
  return indexBySeat(
    votes.filter(({ vote }) => COUNTS.has(vote)),
    ({ juror }) => juror,
    (vote, other) => vote.vote === other.vote,
  );
}
