/**
 * Determines how a rehearsed run goes: well, or wrong in one of the known ways, by the name of the model. A
 * seat knows only its own prompt, so whatever seats have in common is derived from the run's seed.
 * Some failures cannot be caused by a model, because code prevents them. `dominated`: leads are assigned.
 * `stress-avoiding`: the absent role is not asked. `overrunning`: the budget ends the run. `inflating`: claims
 * beyond a seat's share are cut. The stand-in tries as far as a model can, which shows that it has no effect.
 */
import { Chance } from './chance.ts';

/**
 * The ways in which a rehearsed deliberation can go: `healthy`, or with one of the eight failure modes. The failure
 * mode FM-5 has two moods: `inflating` (too many claims) and `starving` (too few).
 */
export const MOODS = [
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
type Mood = (typeof MOODS)[number];

/** How a rehearsed deliberation goes, as numbers for the stand-in. */
export interface Temper {
  /** What kind of deliberation is rehearsed, such as `healthy` or `sycophantic`. */
  readonly mood: Mood;
  /** Returns the share of a round's verdicts that are BROKEN or UNCLEAR. */
  disagreement(round: number): number;
  /** The share of BROKEN verdicts among those that are BROKEN or UNCLEAR. */
  readonly brokenShare: number;
  /** Returns the probability that an open claim is decided at the end of a round. */
  weighed(round: number): number;
  /** Returns whether the verdicts of a round cite one place only, which is too little evidence for a verdict. */
  citesOnePlace(round: number): boolean;
  /** The round in which the deliberation leaves its question; infinite if it never does. */
  readonly departure: number;
}

/**
 * Returns how the rehearsed deliberation goes, by the model's name: `rehearsal/sycophantic` shows
 * that failure mode, any other name a healthy deliberation.
 */
export function chooseTemper(model: string, seed: number): Temper {
  const mood = MOODS.find((name) => name === model) ?? 'healthy';
  const chance = new Chance('temper', seed);
  const base = drawShare(chance, 38, 46);
  const creep = drawShare(chance, 0, 1);
  const healthy: Temper = {
    mood,
    disagreement: (round) => Math.min(0.55, base + creep * round),
    brokenShare: drawShare(chance, 45, 60),
    weighed: () => 0.45,
    citesOnePlace: () => false,
    departure: Number.POSITIVE_INFINITY,
  };
  const spoil = SPOILED[mood];
  return spoil === undefined ? healthy : { ...healthy, ...spoil(new Chance(mood, seed)) };
}

const SPOILED: Partial<Record<Mood, (chance: Chance) => Partial<Temper>>> = {
  /** Shows seats that follow each other (FM-1): disagreement falls from round to round, to almost zero. */
  sycophantic: (chance) => {
    const start = drawShare(chance, 65, 80);
    const halfwayRound = drawShare(chance, 200, 350);
    const pace = drawShare(chance, 30, 50);
    return { disagreement: (round) => start / (1 + Math.exp((round - halfwayRound) / pace)) };
  },
  /** Shows attacks for their own sake (FM-2): nearly every check says that what it tests is broken. */
  performative: (chance) => {
    const rate = drawShare(chance, 96, 100);
    return { disagreement: () => rate, brokenShare: drawShare(chance, 92, 98) };
  },
  drifting: (chance) => ({ departure: chance.between(3, 6) }),
  /** Shows claims that no check decides (FM-6): from round `onset` on, verdicts cite one place and decide nothing. */
  bypassing: (chance) => {
    const onset = chance.between(1, 3);
    return {
      weighed: (round) => (round < onset ? 0.42 : 0),
      citesOnePlace: (round) => round >= onset,
    };
  },
  overrunning: (chance) => {
    const rate = drawShare(chance, 4, 10);
    return { weighed: () => rate };
  },
};

function drawShare(chance: Chance, low: number, high: number): number {
  return (low + chance.next() * (high - low)) / 100;
}

/** The steps of the R2 sequence (powers of 1/1.32471…), which fill the unit square most evenly. */
const FIRST_STEP = 0.7548776662466927;
const SECOND_STEP = 0.5698402909980532;

/**
 * Returns the stand-in's result of a check in rounds. The results are spread evenly over the run instead of drawn at
 * random, so that even a short run has the intended share of each result.
 * @param check the number of the check within its round
 */
export function drawVerdict(
  temper: Temper,
  seed: number,
  round: number,
  check: number,
): 'BROKEN' | 'ROBUST' | 'UNCLEAR' {
  const chance = new Chance('verdicts', seed);
  const at = round * 4 + check;
  const drawn = (chance.next() + at * FIRST_STEP) % 1;
  const kind = (chance.next() + at * SECOND_STEP) % 1;
  if (drawn >= temper.disagreement(round)) return 'ROBUST';
  return kind < temper.brokenShare ? 'BROKEN' : 'UNCLEAR';
}
