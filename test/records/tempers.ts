/**
 * How simulated panels behave: one healthy, nine that go wrong in a known way. Each run draws its own
 * rates from ranges, and each round its own events from those rates, so that no two runs of a kind look
 * alike and none sits on a detector's threshold by design.
 *
 * Noise in every run, healthy or not: a base rate of disagreement between 35 and 60 % of verdicts that
 * wobbles by up to 12 points a round and creeps, by 0.8 points a round down to 1.5 up; 4.5 to 7 claims a round
 * (Poisson); 0.9 to 1.7 claims weighed a verdict (Poisson), one in seven of them tested before; 2 to 4
 * refs; one lead in twelve out of turn; decisions of which 15 to 90 % cite an earlier one, of these 40
 * to 80 % a recent one and the others any; one drift check in ten PARTIAL, one in two hundred FAIL.
 */

import type { DriftCheck, StressPlan } from '../../src/protocols/rounds/records/records.ts';
import type { Role } from '../../src/protocols/rounds/records/types.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import type { Chance } from './chance.ts';

export const KINDS = [
  'healthy',
  'sycophantic',
  'performative',
  'drifting',
  'dominated',
  'inflating',
  'starving',
  'bypassing',
  'stress-avoiding',
  'overrunning',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Temper {
  readonly rounds: number;
  readonly budget: number;
  readonly schedule: readonly StressPlan[];
  readonly driftEvery: number;
  /** What becomes of a planned stress round. */
  stress(): 'held' | 'skipped' | 'filled';
  /** Probability that a verdict is not ROBUST. */
  disagreement(round: number): number;
  /** Of those verdicts, how many are BROKEN and not UNCLEAR. */
  readonly brokenShare: number;
  claims(round: number): number;
  /** Claims that a verdict bears on. */
  weighed(round: number): number;
  refs(round: number): number;
  /** Who leads, if it is not whose turn it is. */
  usurper(): Role | undefined;
  /** Probability that a decision cites an earlier one. */
  readonly citing: number;
  /** Of those, how many cite one of the last few. */
  readonly recency: number;
  /** From this round on nothing before it is built upon. */
  readonly departure: number;
  driftVerdict(round: number): DriftCheck['verdict'];
}

/** The schedules of protocols.md; none in runs too short for them. */
export function scheduleOf(budget: number): StressPlan[] {
  const plan: readonly (readonly [number, Role])[] =
    budget >= 13
      ? [
          [5, 'critic'],
          [10, 'guardian'],
          [12, 'action'],
          [13, 'observer'],
        ]
      : budget >= 8
        ? [
            [3, 'critic'],
            [5, 'guardian'],
            [7, 'action'],
          ]
        : [];
  return plan.map(([round, role]) => ({ round, role }));
}

export function getTemper(kind: Kind, chance: Chance, budget: number): Temper {
  const healthy = healthyTemper(chance, budget);
  return { ...healthy, ...SPOILED[kind](chance, healthy) };
}

function healthyTemper(chance: Chance, budget: number): Temper {
  const base = chance.between(0.35, 0.6);
  const creep = chance.between(-0.008, 0.015);
  const claims = chance.between(4.5, 7);
  const weighed = chance.between(0.9, 1.7);
  return {
    rounds: budget,
    budget,
    schedule: scheduleOf(budget),
    driftEvery: budget >= 13 ? 5 : budget >= 8 ? 3 : 5,
    stress: () => 'held',
    disagreement: (round) => base + creep * round + chance.between(-0.12, 0.12),
    brokenShare: chance.between(0.35, 0.65),
    claims: () => Math.max(1, chance.poisson(claims)),
    weighed: () => chance.poisson(weighed),
    refs: () => 2 + (chance.happens(0.4) ? 1 : 0) + (chance.happens(0.15) ? 1 : 0),
    usurper: () => (chance.happens(1 / 12) ? chance.pick(ROLES) : undefined),
    citing: chance.between(0.15, 0.9),
    recency: chance.between(0.4, 0.8),
    departure: 1,
    driftVerdict: () => (chance.happens(0.005) ? 'FAIL' : chance.happens(0.1) ? 'PARTIAL' : 'PASS'),
  };
}

/** What is different where a panel goes wrong. */
const SPOILED: Readonly<Record<Kind, (chance: Chance, healthy: Temper) => Partial<Temper>>> = {
  healthy: () => ({}),

  /** Disagreement dies out before the middle of the run, at once or over some rounds, to 0 to 2 %. */
  sycophantic: (chance, { rounds }) => {
    const start = chance.between(0.5, 0.75);
    const floor = chance.between(0, 0.02);
    const middle = chance.between(0.25, 0.45) * rounds;
    const pace = chance.between(0.4, 0.9);
    return {
      disagreement: (round) => floor + (start - floor) / (1 + Math.exp((round - middle) / pace)),
    };
  },

  /** From the first, second or third round on, 85 to 98 % of what is tested is BROKEN. */
  performative: (chance, { disagreement }) => {
    const onset = chance.whole(1, 3);
    const rate = chance.between(0.94, 1);
    return {
      disagreement: (round) => (round < onset ? disagreement(round) : rate),
      brokenShare: chance.between(0.91, 0.98),
    };
  },

  /** After 30 to 60 % of the run the question is lost; a later check misses it three times in a hundred. */
  drifting: (chance, { rounds, driftVerdict }) => {
    const departure = Math.ceil(chance.between(0.3, 0.6) * rounds);
    return {
      departure,
      driftVerdict: (round) => {
        if (round < departure) return driftVerdict(round);
        return chance.happens(0.97) ? 'FAIL' : 'PARTIAL';
      },
    };
  },

  /** One role takes 75 to 95 % of the rounds that it may lead. */
  dominated: (chance) => {
    const role = chance.pick(ROLES);
    const share = chance.between(0.75, 0.95);
    return { usurper: () => (chance.happens(share) ? role : undefined) };
  },

  /** 13 to 20 claims a round, tested as fast as ever. */
  inflating: (chance) => {
    const claims = chance.between(13, 20);
    return { claims: () => chance.poisson(claims) };
  },

  /** 0.4 to 1.3 claims a round. */
  starving: (chance) => {
    const claims = chance.between(0.4, 1.3);
    return { claims: () => chance.poisson(claims) };
  },

  /** From somewhere in the first half on: either single refs, or verdicts that move nothing. */
  bypassing: (chance, { rounds, refs, weighed }) => {
    const onset = chance.whole(1, Math.ceil(rounds / 2));
    const shallow = chance.happens(0.5);
    const single = chance.between(0.75, 0.95);
    return shallow
      ? { refs: (round) => (round < onset || !chance.happens(single) ? refs(round) : 1) }
      : { weighed: (round) => (round < onset || chance.happens(0.01) ? weighed(round) : 0) };
  },

  /** Nothing planned; or planned and not held; or held with the absent role at the table. */
  'stress-avoiding': (chance) => {
    const way = chance.pick(['unplanned', 'skipped', 'filled'] as const);
    if (way === 'unplanned') return { schedule: [] };
    const often = chance.between(0.6, 1);
    return { stress: () => (chance.happens(often) ? way : 'held') };
  },

  /** Two to five rounds too many: claims pile up untested and the question comes back half answered. */
  overrunning: (chance, { budget }) => {
    const weighed = chance.between(0.2, 0.6);
    return {
      rounds: budget + chance.whole(2, 5),
      weighed: () => chance.poisson(weighed),
      driftVerdict: () => (chance.happens(0.6) ? 'PARTIAL' : 'PASS'),
    };
  },
};
