/** Simulated evaluations with a known truth, against which statistics are tested. */
import type { Header } from '../../src/evaluation/header.ts';
import type { Outcome } from '../../src/evaluation/outcome.ts';

/**
 * Returns a function that returns numbers from 0 up to but not including 1, the same ones for the same seed
 * (mulberry32).
 */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns the outcome of a right answer that cost a cent, unless `own` says otherwise. An unreadable or missing
 * answer is never right, whatever `own` says.
 */
export function makeSimulatedOutcome(
  own: Partial<Outcome> & Pick<Outcome, 'item' | 'arm'>,
): Outcome {
  const state = own.state ?? 'answered';
  const isRight = state === 'answered' && (own.isRight ?? true);
  return {
    set: 'planted',
    unit: own.item,
    seed: 1,
    answer: state === 'answered' ? (isRight ? 'right' : 'wrong') : null,
    isRepaired: false,
    costUsd: 0.01,
    tokens: 1_000,
    models: ['some/model@1'],
    ...own,
    state,
    isRight,
  };
}

/** Returns the header of an evaluation that compares a panel with a vote and with a single answer. */
export function makeHeader(own: Partial<Header> = {}): Header {
  const arms = ['panel', 'vote', 'single'];
  return {
    set: 'planted',
    units: 200,
    startedAt: '2026-11-23T10:00:00.000Z',
    arms: arms.map((name) => ({ name, models: ['some/model'] })),
    primary: { arm: 'panel', against: { usd: 'vote', tokens: 'vote' } },
    others: [],
    isOurs: true,
    ...own,
  };
}

/**
 * The probabilities that the panel, the vote or both are right about an item. With the remaining probability,
 * neither is right.
 */
export interface Truth {
  /** The probability that the panel is right and the vote wrong. */
  readonly panelAlone: number;
  /** The probability that the vote is right and the panel wrong. */
  readonly voteAlone: number;
  /** The probability that both are right. */
  readonly both: number;
}

/**
 * Simulates an evaluation in which a panel and a vote answer the same items, and returns the outcomes. For each
 * item, who is right is drawn from the probabilities.
 *
 * @param units How many items there are; each item is a unit of its own.
 * @param seedsOf Returns how many times an item is asked, by the item's number from 0. Each repetition has the
 * same result as the first.
 */
export function makePairs(
  units: number,
  { panelAlone, voteAlone, both }: Truth,
  random: () => number,
  seedsOf: (unit: number) => number = () => 1,
): Outcome[] {
  return Array.from({ length: units }, (_none, at) => {
    const drawn = random();
    const panel =
      drawn < panelAlone ||
      (drawn >= panelAlone + voteAlone && drawn < panelAlone + voteAlone + both);
    const vote = drawn >= panelAlone && drawn < panelAlone + voteAlone + both;
    return Array.from({ length: seedsOf(at) }, (_each, seed) => [
      makeSimulatedOutcome({ item: `i${at}`, arm: 'panel', seed: seed + 1, isRight: panel }),
      makeSimulatedOutcome({ item: `i${at}`, arm: 'vote', seed: seed + 1, isRight: vote }),
    ]).flat();
  }).flat();
}

/**
 * Returns outcomes without a true difference between the panel and the vote. Each arm finds each item easy or
 * hard by chance, so that repetitions of an item mostly agree.
 *
 * @param units How many items there are.
 * @param seeds How many times each item is asked.
 */
export function makeCorrelated(units: number, seeds: number, random: () => number): Outcome[] {
  return Array.from({ length: units }, (_none, at) =>
    ['panel', 'vote'].flatMap((arm) => {
      const chance = random() < 0.6 ? 0.97 : 0.04;
      return Array.from({ length: seeds }, (_each, seed) =>
        makeSimulatedOutcome({ item: `i${at}`, arm, seed: seed + 1, isRight: random() < chance }),
      );
    }),
  ).flat();
}
