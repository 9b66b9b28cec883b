/** Evaluations whose truth is known, as somebody chose it, for the statistics to be held against. */
import type { Header } from '../../src/evaluation/header.ts';
import type { Outcome } from '../../src/evaluation/outcome.ts';

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An outcome that is right and cost a cent, but for what is said otherwise. */
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

/** How often the panel alone is right, the vote alone, and both; of the rest, neither. */
export interface Truth {
  readonly panelAlone: number;
  readonly voteAlone: number;
  readonly both: number;
}

/** Items answered once by both arms; `seedsOf` repeats an item, each time as it came the first time. */
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
 * No true difference, and seeds that agree: each arm finds each item easy or hard by a toss of its own,
 * so that what one repetition says, the others mostly say again.
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
