/**
 * A contest of two sides before jurors who vote before and after, told by what the debate moved and not
 * by who was liked anyway. Two legs, in which models change sides and jurors the order of reading: what
 * is owed to a strong speaker or to being read first cancels, what is owed to the case adds up.
 */
import { plainWords } from '../text/words/quotation.ts';
import { bySeat, compareText } from './order.ts';

export type Side = 'for' | 'against';
export type Vote = Side | 'undecided';

/** What a vote counts: a juror who crosses over moves a leg by 2, one who makes up its mind by 1. */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['for', 1],
  ['undecided', 0],
  ['against', -1],
]);

/** Fewer paired jurors are no jury (methods.md: three at least). */
const LEAST_JURORS = 3;

export interface JurorVote {
  readonly juror: string;
  readonly vote: Vote;
  /** Ids of arguments; what is no argument's id is set apart in `invented`. */
  readonly movedBy?: readonly string[];
}

/** A speaker was missing, both sides argued the same, or the leg repeats the other one. */
type LegFlaw = 'sole speaker' | 'one side' | 'repeated';

export interface Leg {
  readonly after: readonly JurorVote[];
  /** Ids of the arguments that were made in this leg. */
  readonly arguments?: readonly string[];
  /** Why the leg counts for nothing: see `LegFlaw`. */
  readonly flaw?: LegFlaw;
}

export interface Pair {
  readonly juror: string;
  readonly before: Vote;
  readonly after: Vote;
  /** −2 to 2, above 0 towards `for`. */
  readonly shift: number;
  /** Arguments of this leg that it names. */
  readonly movedBy: readonly string[];
  /** Named, and nobody's argument: they moved nobody. */
  readonly invented: readonly string[];
}

export interface LegResult {
  /** By juror. */
  readonly pairs: readonly Pair[];
  /** Voted before and not, or not legibly, after. */
  readonly missing: readonly string[];
  /** Of all shifts. */
  readonly sum: number;
  readonly leans: Side | undefined;
  readonly flaw: LegFlaw | 'few jurors' | undefined;
}

export interface Contest {
  /** `open`: a leg is missing or flawed, so that nothing was measured. `draw`: it was, and moved too little. */
  readonly result: Side | 'draw' | 'open';
  readonly why:
    | 'both legs'
    | 'legs differ'
    | 'too little moved'
    | 'nothing moved'
    | 'leg missing'
    | 'leg flawed';
  readonly legs: readonly LegResult[];
  /** Of both legs, above 0 towards `for`. */
  readonly sum: number;
  /** Jurors paired in either leg; a winner has to move the sum by as many. */
  readonly jurors: number;
  /** All voted for it before: it had nobody to win over. */
  readonly couldNotGain: Side | undefined;
}

/**
 * A side wins where both legs lean to it and the sum is at least the number of jurors: a quarter of the
 * way that all of them could have gone. Five jurors who first vote by chance and then turn at random one
 * time in ten name a winner in about 2 % of debates, but in 6 % where all voted alike before, since
 * chance can then only move them one way: `couldNotGain` is to be told beside such a result.
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
 * Whether a leg's speeches are those of the other leg, side by side: then the models that changed sides
 * are one mind, and the second leg is the first read twice. Speeches in the same order of sides.
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
 * Returns whether every argument of one side is, word for word, one of the other side's too: then the two
 * have not contradicted each other, and no vote after them can be owed to either.
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

/** Votes that are none of the three are none. */
function castVotes(votes: readonly JurorVote[]): Map<string, JurorVote> {
  return bySeat(
    votes.filter(({ vote }) => COUNTS.has(vote)),
    ({ juror }) => juror,
    (one, other) => one.vote === other.vote,
  );
}
