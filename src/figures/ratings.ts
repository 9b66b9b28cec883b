/** Ranks ideas by the ratings of others than their authors, each rater relative to their own average. */
import { bySeat, compareText, deviation, mean } from './order.ts';

export interface Idea {
  readonly id: string;
  /** Its authors; several if ideas were grouped or built upon. */
  readonly seats: readonly string[];
}

/** Ratings are integers from 1 to 10. */
export interface Rating {
  readonly seat: string;
  readonly idea: string;
  readonly novelty: number;
  readonly impact: number;
  readonly feasibility: number;
}

export interface RankedIdea {
  readonly id: string;
  /** The rank, from 1; ideas with equal scores share a rank. */
  readonly place: number;
  /** The mean of the three ratings, centered by rater; above 0 means better than its raters' average idea. */
  readonly score: number;
  /** The average ratings as given, 1 to 10. */
  readonly novelty: number;
  readonly impact: number;
  readonly feasibility: number;
  /** How much raters differ on its impact: the standard deviation, centered by rater. */
  readonly spread: number;
  readonly raters: number;
}

export interface Ranking {
  readonly ranked: readonly RankedIdea[];
  /** Ideas outside the top on whose impact raters differ most, widest first. */
  readonly wildCards: readonly RankedIdea[];
  /** Ideas that nobody rated. */
  readonly unrated: readonly string[];
  /** How many ratings were ignored: not integers from 1 to 10, of an unknown idea, or given twice. */
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
 * Ranks ideas.
 * @param seats all seats of the panel, whether they rated or not
 */
export function rankIdeas(
  ideas: readonly Idea[],
  ratings: readonly Rating[],
  seats: readonly string[],
): Ranking {
  const authors = new Map(ideas.map(({ id, seats: own }) => [id, own]));
  const sound = ratings.filter((one) => authors.has(one.idea) && isSound(one));
  const once = [
    ...bySeat(sound, ({ seat, idea }) => JSON.stringify([seat, idea]), isSame).values(),
  ];
  const omitsOwn = new Set(seats).size >= OWN_LEFT_OUT_FROM;
  const counted = once.filter(
    ({ seat, idea }) => !omitsOwn || authors.get(idea)?.includes(seat) !== true,
  );
  const own = new Map<string, { overall: number; impact: number }>();
  for (const seat of new Set(counted.map((one) => one.seat))) {
    const given = counted.filter((one) => one.seat === seat);
    own.set(seat, {
      overall: mean(given.map(overall)) ?? 0,
      impact: mean(given.map(({ impact }) => impact)) ?? 0,
    });
  }
  const rated = [...authors.keys()].flatMap((id) => {
    const given = counted.filter(({ idea }) => idea === id);
    const score = mean(given.map((one) => overall(one) - (own.get(one.seat)?.overall ?? 0)));
    if (score === undefined) return [];
    const impacts = given.map((one) => one.impact - (own.get(one.seat)?.impact ?? 0));
    return [
      {
        id,
        score,
        novelty: mean(given.map(({ novelty }) => novelty)) ?? 0,
        impact: mean(given.map(({ impact }) => impact)) ?? 0,
        feasibility: mean(given.map(({ feasibility }) => feasibility)) ?? 0,
        spread: deviation(impacts),
        raters: given.length,
      },
    ];
  });
  const ranked = rated
    .sort((left, right) => order(right.score, left.score) || compareText(left.id, right.id))
    .map((one) => ({
      ...one,
      place: 1 + rated.filter(({ score }) => order(score, one.score) > 0).length,
    }));
  const wildCards = ranked
    .filter(({ place, spread }) => place > TOP && spread > EQUAL)
    .sort((left, right) => order(right.spread, left.spread) || compareText(left.id, right.id))
    .slice(0, WILD_CARDS);
  const heard = new Set(ranked.map(({ id }) => id));
  return {
    ranked,
    wildCards,
    unrated: [...authors.keys()].filter((id) => !heard.has(id)).sort(compareText),
    refused: ratings.length - once.length,
  };
}

function order(left: number, right: number): number {
  return Math.abs(left - right) <= EQUAL ? 0 : left - right;
}

function overall({ novelty, impact, feasibility }: Rating): number {
  return (novelty + impact + feasibility) / 3;
}

function isSound({ novelty, impact, feasibility }: Rating): boolean {
  return [novelty, impact, feasibility].every(
    (value) => Number.isInteger(value) && value >= 1 && value <= 10,
  );
}

function isSame(one: Rating, other: Rating): boolean {
  return (
    one.novelty === other.novelty &&
    one.impact === other.impact &&
    one.feasibility === other.feasibility
  );
}
