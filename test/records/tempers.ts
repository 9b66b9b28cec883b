/**
 * How simulated panels behave: one is healthy, and nine go wrong in a known way. Each run draws its own rates
 * from ranges, and each round draws its events from these rates. So no two runs of a kind are alike, and no
 * rate is set to the threshold of a detector.
 *
 * Every run has noise. The base rate of disagreement is 35 to 60 % of verdicts; it varies by up to 12 points
 * a round and changes by -0.8 to +1.5 points a round. A round has 4.5 to 7 claims on average (Poisson). A
 * verdict weighs 0.9 to 1.7 claims on average (Poisson); in one of seven cases one of them was tested before.
 * A verdict cites 2 to 4 places. One lead in twelve is out of turn. 15 to 90 % of decisions cite an earlier
 * decision, 40 to 80 % of these a recent one. One drift check in ten is PARTIAL, one in two hundred FAIL.
 */

import type { DriftCheck, StressPlan } from '../../src/protocols/rounds/records/records.ts';
import type { Role } from '../../src/protocols/rounds/records/types.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import type { Chance } from './chance.ts';

/** The kinds of simulated panels: a healthy one, and nine that each go wrong in one known way. */
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
/** One of the kinds of simulated panels. */
export type Kind = (typeof KINDS)[number];

/** The behaviour of one simulated panel. */
export interface Temper {
  /** The number of rounds that the panel takes. */
  readonly rounds: number;
  /** The number of rounds that were planned. */
  readonly budget: number;
  /** The planned stress rounds. */
  readonly schedule: readonly StressPlan[];
  /** The number of rounds from one drift check to the next. */
  readonly driftEvery: number;
  /**
   * Returns what becomes of a planned stress round: it is held without its role, skipped, or held with its
   * role present.
   */
  stress(): 'held' | 'skipped' | 'filled';
  /** Returns the probability that a verdict of a round is not ROBUST. */
  disagreement(round: number): number;
  /** The share of BROKEN among verdicts that are not ROBUST. */
  readonly brokenShare: number;
  /** Returns how many claims are raised in a round. */
  claims(round: number): number;
  /** Returns how many claims a verdict of a round is about. */
  weighed(round: number): number;
  /** Returns how many places a verdict of a round cites. */
  refs(round: number): number;
  /** Returns the role that leads out of turn; undefined if the role leads whose turn it is. */
  usurper(): Role | undefined;
  /** The probability that a decision cites an earlier one. */
  readonly citing: number;
  /** The share of the citations of earlier decisions that name one of the last few decisions. */
  readonly recency: number;
  /**
   * The round in which the panel leaves its question: decisions from this round on cite no decision that was
   * made before it. 1 if the panel keeps to its question, so that every earlier decision can be cited.
   */
  readonly departure: number;
  /** Returns the verdict of a round's drift check. */
  driftVerdict(round: number): DriftCheck['verdict'];
}

/** Returns the planned stress rounds for a number of rounds; none for fewer than 8 rounds. */
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

/**
 * Returns the behaviour of a panel of one kind in a run of `budget` planned rounds, with rates drawn by
 * `chance`.
 */
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

/** The behaviour of each kind where it differs from a healthy panel. */
const SPOILED: Readonly<Record<Kind, (chance: Chance, healthy: Temper) => Partial<Temper>>> = {
  healthy: () => ({}),

  /**
   * After about 25 to 45 % of the run, disagreement falls to 0 to 2 % of the verdicts, at once or over some
   * rounds.
   */
  sycophantic: (chance, { rounds }) => {
    const start = chance.between(0.5, 0.75);
    const floor = chance.between(0, 0.02);
    const middle = chance.between(0.25, 0.45) * rounds;
    const pace = chance.between(0.4, 0.9);
    return {
      disagreement: (round) => floor + (start - floor) / (1 + Math.exp((round - middle) / pace)),
    };
  },

  /**
   * In a simulated performative panel, 85 to 98 % of the verdicts are BROKEN from an early round on. Chance
   * chooses the round (1, 2 or 3) and the share for each run.
   */
  performative: (chance, { disagreement }) => {
    const onset = chance.whole(1, 3);
    const rate = chance.between(0.94, 1);
    return {
      disagreement: (round) => (round < onset ? disagreement(round) : rate),
      brokenShare: chance.between(0.91, 0.98),
    };
  },

  /**
   * After 30 to 60 % of the run, the panel leaves its question. From then on, 97 of 100 drift checks are FAIL
   * and three are PARTIAL.
   */
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

  /**
   * In a simulated dominated panel, one role takes the lead in 75 to 95 % of the rounds that include this role,
   * whichever role's turn it is. Chance chooses the role and the share for each run.
   */
  dominated: (chance) => {
    const role = chance.pick(ROLES);
    const share = chance.between(0.75, 0.95);
    return { usurper: () => (chance.happens(share) ? role : undefined) };
  },

  /** 13 to 20 claims are raised a round on average, and no more of them are tested than in a healthy panel. */
  inflating: (chance) => {
    const claims = chance.between(13, 20);
    return { claims: () => chance.poisson(claims) };
  },

  /** 0.4 to 1.3 claims are raised a round on average. */
  starving: (chance) => {
    const claims = chance.between(0.4, 1.3);
    return { claims: () => chance.poisson(claims) };
  },

  /**
   * At a random round in the first half of the run, the panel gets one of two faults and keeps it: most
   * verdicts cite a single place, or almost no verdict changes the status of a claim.
   */
  bypassing: (chance, { rounds, refs, weighed }) => {
    const onset = chance.whole(1, Math.ceil(rounds / 2));
    const shallow = chance.happens(0.5);
    const single = chance.between(0.75, 0.95);
    return shallow
      ? { refs: (round) => (round < onset || !chance.happens(single) ? refs(round) : 1) }
      : { weighed: (round) => (round < onset || chance.happens(0.01) ? weighed(round) : 0) };
  },

  /** No stress round is planned, or most are skipped, or most are held with all roles present. */
  'stress-avoiding': (chance) => {
    const way = chance.pick(['unplanned', 'skipped', 'filled'] as const);
    if (way === 'unplanned') return { schedule: [] };
    const often = chance.between(0.6, 1);
    return { stress: () => (chance.happens(often) ? way : 'held') };
  },

  /**
   * The simulated panel takes two to five rounds more than planned. Most of its claims stay untested, and its
   * drift checks are mostly PARTIAL.
   */
  overrunning: (chance, { budget }) => {
    const weighed = chance.between(0.2, 0.6);
    return {
      rounds: budget + chance.whole(2, 5),
      weighed: () => chance.poisson(weighed),
      driftVerdict: () => (chance.happens(0.6) ? 'PARTIAL' : 'PASS'),
    };
  },
};
