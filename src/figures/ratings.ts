/** Ranks ideas by the ratings of others than their authors, each rater relative to their own average. */
import { compareText, computeDeviation, computeMean, indexBySeat } from './order.ts';

/** An idea, and the seats that had it. */
export interface Idea {
  readonly id: string;
  /** Ids of the authors; several if equal ideas were grouped, or the idea builds on another one. */
  readonly seats: readonly string[];
}

/** A seat's marks for an idea, whole numbers from 1 to 10. */
export interface Rating {
  readonly seat: string;
  readonly idea: string;
  readonly novelty: number;
  readonly impact: number;
  readonly feasibility: number;
}

/** An idea with its rank and its average marks. */
export interface RankedIdea {
  readonly id: string;
  /** The rank, from 1; ideas with equal scores share a rank. */
  readonly place: number;
  /**
   * How much better or worse the idea was rated than other ideas; above 0 means better than average. For
   * each rater, it is the mean of the three marks for the idea, less the mean of all marks that the rater
   * gave. The score is the mean of these differences.
   */
  readonly score: number;
  /** The mean of the marks for novelty, 1 to 10. */
  readonly novelty: number;
  /** The mean of the marks for impact, 1 to 10. */
  readonly impact: number;
  /** The mean of the marks for feasibility, 1 to 10. */
  readonly feasibility: number;
  /**
   * How much the raters differ about the idea's impact: the standard deviation of their marks for
   * impact, after each rater's average mark for impact is subtracted.
   */
  readonly spread: number;
  /** How many seats rated the idea. */
  readonly raters: number;
}

/** The ideas in order of their scores. */
export interface Ranking {
  readonly ranked: readonly RankedIdea[];
  /**
   * At most three ideas outside the top five ranks: the ideas about whose impact raters differ
   * most, in descending order of the difference.
   */
  readonly wildCards: readonly RankedIdea[];
  /** Ids of the ideas without a rating that counts, sorted. */
  readonly unrated: readonly string[];
  /**
   * How many ratings were ignored: because marks are not whole numbers from 1 to 10, because the idea is
   * unknown, or because the seat rated the idea more than once. Ratings of a seat's own ideas do not count
   * here.
   */
  readonly refused: number;
}

/** From three seats on, authors do not rate their own ideas (docs/methods.md). */
const OWN_LEFT_OUT_FROM = 3;
/** How many ideas are in the top, and how many wild cards are listed beside them. */
const TOP = 5;
const WILD_CARDS = 3;
/** Scores this close count as equal, because sums differ in the last digits. */
const EQUAL = 1e-9;

/**
 * Ranks ideas by the seats' ratings. With three or more seats, a seat's ratings of its own ideas
 * are left out.
 *
 * @param seats ids of all seats of the panel, including those that rated nothing
 */
export function rankIdeas(
  ideas: readonly Idea[],
  ratings: readonly Rating[],
  seats: readonly string[],
): Ranking {
  const authors = new Map(ideas.map(({ id, seats: own }) => [id, own]));
  const sound = ratings.filter((rating) => authors.has(rating.idea) && isSound(rating));
  const once = [
    ...indexBySeat(sound, ({ seat, idea }) => JSON.stringify([seat, idea]), isSame).values(),
  ];
  const omitsOwn = new Set(seats).size >= OWN_LEFT_OUT_FROM;
  const counted = once.filter(
    ({ seat, idea }) => !omitsOwn || authors.get(idea)?.includes(seat) !== true,
  );
  const own = new Map<string, { overall: number; impact: number }>();
  for (const seat of new Set(counted.map((rating) => rating.seat))) {
    const given = counted.filter((rating) => rating.seat === seat);
    own.set(seat, {
      overall: computeMean(given.map(averageRating)) ?? 0,
      impact: computeMean(given.map(({ impact }) => impact)) ?? 0,
    });
  }
  const rated = [...authors.keys()].flatMap((id) => {
    const given = counted.filter(({ idea }) => idea === id);
    const score = computeMean(
      given.map((rating) => averageRating(rating) - (own.get(rating.seat)?.overall ?? 0)),
    );
    if (score === undefined) return [];
    const impacts = given.map((rating) => rating.impact - (own.get(rating.seat)?.impact ?? 0));
    return [
      {
        id,
        score,
        novelty: computeMean(given.map(({ novelty }) => novelty)) ?? 0,
        impact: computeMean(given.map(({ impact }) => impact)) ?? 0,
        feasibility: computeMean(given.map(({ feasibility }) => feasibility)) ?? 0,
        spread: computeDeviation(impacts),
        raters: given.length,
      },
    ];
  });
  const ranked = rated
    .sort(
      (left, right) => compareNumbers(right.score, left.score) || compareText(left.id, right.id),
    )
    .map((idea) => ({
      ...idea,
      place: 1 + rated.filter(({ score }) => compareNumbers(score, idea.score) > 0).length,
    }));
  const wildCards = ranked
    .filter(({ place, spread }) => place > TOP && spread > EQUAL)
    .sort(
      (left, right) => compareNumbers(right.spread, left.spread) || compareText(left.id, right.id),
    )
    .slice(0, WILD_CARDS);
  const heard = new Set(ranked.map(({ id }) => id));
  return {
    ranked,
    wildCards,
    unrated: [...authors.keys()].filter((id) => !heard.has(id)).sort(compareText),
    refused: ratings.length - once.length,
  };
}

function compareNumbers(left: number, right: number): number {
  return Math.abs(left - right) <= EQUAL ? 0 : left - right;
}

function averageRating({ novelty, impact, feasibility }: Rating): number {
  return (novelty + impact + feasibility) / 3;
}

function isSound({ novelty, impact, feasibility }: Rating): boolean {
  return [novelty, impact, feasibility].every(
    (value) => Number.isInteger(value) && value >= 1 && value <= 10,
  );
}

function isSame(rating: Rating, other: Rating): boolean {
  return (
    rating.novelty === other.novelty &&
    rating.impact === other.impact &&
    rating.feasibility === other.feasibility
  );
}
