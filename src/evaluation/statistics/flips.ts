/**
 * Measures what discussion changed: compares a panel's answer with the vote of its seats before they heard
 * each other. No other contrast is as direct, and it costs nothing. Unreadable and missing answers, and
 * votes without a readable answer, are left out. Only the first repetition counts, as exact intervals
 * require independent trials.
 */
import type { Outcome } from '../outcome.ts';
import { isRight, scoreOf, type Units } from './cells.ts';
import { type Share, shareOf, upperBound } from './exact.ts';
import { computeAverage, type Difference, differenceOf } from './mean.ts';

/** A panel whose share of changed votes is below this, by the upper bound, only confirms its vote. */
const NODS = 0.015;

/**
 * How the answers of a panel differ from the vote of its seats: the answer that most seats gave before
 * they saw one another's answers.
 */
export interface Flips {
  /** The number of items with a readable vote and a readable answer of the panel. */
  readonly items: number;
  /** The share of units in which the panel's answer to an item differs from the vote. */
  readonly flipped: Share;
  /** The upper bound of the share `flipped`, with 95 % confidence. */
  readonly atMost: number;
  /**
   * Whether the panel is shown to only confirm its seats' vote: even the upper bound `atMost` is
   * small.
   */
  readonly nods: boolean;
  /**
   * Items on which the panel is right; out of all items on which the vote was wrong although a seat
   * was right.
   */
  readonly rescued: Share;
  /** Items on which the panel is wrong; out of all items on which the vote was right. */
  readonly spoiled: Share;
  /** Items on which the panel is right; out of all items on which no seat was right. */
  readonly found: Share;
  /** The number of items on which all seats agreed at first. */
  readonly unanimous: number;
  /** The share of unanimous items on which the agreed answer was wrong. */
  readonly unanimousWrong: Share;
  /** The score of the panel minus the score of its seats' vote, by unit. */
  readonly net: Difference;
  /** Whether each item is a unit. If not, the exact intervals are too narrow. */
  readonly isByItem: boolean;
}

interface Vote {
  readonly answer: string | null;
  readonly isRight: boolean;
  readonly anyRight: boolean;
  readonly isUnanimous: boolean;
}

/**
 * Counts the items on which a panel's answer is right and the vote of its seats is wrong, and the reverse, in the first
 * repetition of each unit. An item counts only if both its answer and its vote could be read. Returns undefined if no
 * item counts.
 */
export function compareWithVote(units: Units): Flips | undefined {
  const argued = [...units.values()].flatMap((cells) => {
    const first = cells.get(Math.min(...cells.keys())) ?? [];
    const items = first.flatMap((outcome) => {
      const vote = findSeatVote(outcome.votes ?? []);
      return outcome.state !== 'answered' || vote?.answer == null ? [] : [{ outcome, vote }];
    });
    return items.length === 0 ? [] : [items];
  });
  if (argued.length === 0) return undefined;
  const all = argued.flat();
  const flipped = argued.filter((items) => items.some(isFlip)).length;
  const computeShare = (of: typeof all, right: boolean): Share =>
    shareOf(of.filter(({ outcome }) => isRight(outcome) === right).length, of.length);
  const unanimous = all.filter(({ vote }) => vote.isUnanimous);
  const atMost = upperBound(flipped, argued.length);
  return {
    items: all.length,
    flipped: shareOf(flipped, argued.length),
    atMost,
    nods: atMost < NODS,
    rescued: computeShare(
      all.filter(({ vote }) => !vote.isRight && vote.anyRight),
      true,
    ),
    spoiled: computeShare(
      all.filter(({ vote }) => vote.isRight),
      false,
    ),
    found: computeShare(
      all.filter(({ vote }) => !vote.anyRight),
      true,
    ),
    unanimous: unanimous.length,
    unanimousWrong: shareOf(unanimous.filter(({ vote }) => !vote.isRight).length, unanimous.length),
    net: differenceOf(
      argued.flatMap((items) => {
        const after = scoreOf(items.map(({ outcome }) => outcome));
        const before = scoreOf(
          items.map(({ outcome, vote }) => ({ ...outcome, isRight: vote.isRight })),
        );
        return after === undefined || before === undefined ? [] : [after - before];
      }),
    ),
    isByItem: argued.every(({ length }) => length === 1),
  };
}

/** Returns whether the answer differs from the vote; two spellings of a right answer do not. */
function isFlip({ outcome, vote }: { outcome: Outcome; vote: Vote }): boolean {
  return outcome.answer !== vote.answer && !(outcome.isRight && vote.isRight);
}

/**
 * Returns the answer that most seats gave. Of equally frequent answers, the one that a seat gave first
 * counts. Seats without an answer do not vote; if no seat has one, `answer` is null. Returns undefined
 * only if `votes` is empty.
 */
export function findSeatVote(votes: NonNullable<Outcome['votes']>): Vote | undefined {
  if (votes.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const { answer } of votes)
    if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const [answer = null] = [...counts].find(([, count]) => count === most) ?? [];
  return {
    answer,
    isRight: votes.some((vote) => answer !== null && vote.answer === answer && vote.isRight),
    anyRight: votes.some((vote) => vote.answer !== null && vote.isRight),
    isUnanimous: most === votes.length,
  };
}

/** How well an arm's stated confidence matches its results. */
export interface Calibration {
  /** The number of units with a stated confidence. */
  readonly units: number;
  /**
   * The Brier score, the mean squared error of the confidence: 0 is best, and always stating 50 %
   * gives 0.25.
   */
  readonly brier: number;
  /** The Brier score of an arm that always states its overall share of right answers. */
  readonly base: number;
  /**
   * The improvement of `brier` on `base`: 1 is best, and negative means worse. Undefined if the arm
   * is always or never right.
   */
  readonly skill: number | undefined;
}

/**
 * Computes how well the stated confidence matches the results, averaged over units; undefined if
 * none was stated.
 */
export function calibrationOf(units: Units): Calibration | undefined {
  const said = [...units.values()].flatMap((cells) => {
    const own = [...cells.values()].flat().flatMap((outcome) => {
      const { confidence } = outcome;
      return outcome.state !== 'answered' || confidence === undefined
        ? []
        : [{ confidence, right: Number(isRight(outcome)) }];
    });
    return own.length === 0 ? [] : [own];
  });
  if (said.length === 0) return undefined;
  const averageOver = (figure: (answer: { confidence: number; right: number }) => number): number =>
    computeAverage(said.map((own) => computeAverage(own.map(figure))));
  const right = averageOver((answer) => answer.right);
  const brier = averageOver(({ confidence, right: is }) => (confidence - is) ** 2);
  const base = right * (1 - right);
  return { units: said.length, brier, base, skill: base === 0 ? undefined : 1 - brier / base };
}
