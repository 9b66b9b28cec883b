/**
 * FM-1: agreement that grows because the seats follow each other. Verdicts of a healthy panel are as
 * noisy as coins, so a slope counts only over enough rounds and if it is steeper than that noise.
 */
import { FLAT, NOISE_OF_A_FALL, ROBUST_RUN, ROUNDS_FOR_A_FALL } from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { count, EPSILON, figure, slopeOf, sum } from '../trend.ts';
import { clear, type Detector, suspected, unknown } from './evidence.ts';

export const sycophancy: Detector = ({ rounds }) => {
  const seen = `${count(rounds.length, 'round')} so far`;
  if (rounds.length < ROBUST_RUN) return unknown(`${seen}: it takes ${ROBUST_RUN}`);
  if (sum(rounds.map(({ verdicts }) => verdicts)) === 0) return unknown('no verdict yet');
  if (sum(rounds.map(({ disagreements }) => disagreements)) === 0)
    return suspected(`no verdict in ${count(rounds.length, 'round')} was BROKEN or UNCLEAR`);
  if (rounds.slice(-ROBUST_RUN).every(allRobust))
    return suspected(`every verdict of the last ${ROBUST_RUN} rounds is ROBUST`);
  const { slope, noise } = fall(rounds);
  const falls = `disagreement changes by ${figure(slope)} a round`;
  if (slope > FLAT + EPSILON) return clear(falls);
  if (rounds.length < ROUNDS_FOR_A_FALL)
    return unknown(
      `${falls}, but over ${count(rounds.length, 'round')}: it takes ${ROUNDS_FOR_A_FALL}`,
    );
  return noise > NOISE_OF_A_FALL
    ? suspected(`${falls} over ${count(rounds.length, 'round')}`)
    : clear(`${falls}, which chance alone may do`);
};

/**
 * The slope of disagreement, and how many times it exceeds what chance does to a panel that disagrees
 * at one steady rate. That panel too has fewer disagreements where checks were not applicable.
 */
function fall(rounds: readonly Tally[]): { slope: number; noise: number } {
  const slope = slopeOf(rounds.map(({ disagreements }) => disagreements));
  const rate =
    sum(rounds.map(({ disagreements }) => disagreements)) /
    sum(rounds.map(({ verdicts }) => verdicts));
  const steady = slopeOf(rounds.map(({ verdicts }) => verdicts * rate));
  const middle = (rounds.length - 1) / 2;
  const spread = sum(rounds.map((_, at) => (at - middle) ** 2));
  const variance = sum(
    rounds.map(({ verdicts }, at) => (at - middle) ** 2 * verdicts * rate * (1 - rate)),
  );
  return { slope, noise: ((steady - slope) * spread) / Math.sqrt(variance) };
}

/** A round with a single verdict, in a stress round perhaps, agrees too easily to count. */
function allRobust({ verdicts, robust }: Tally): boolean {
  return verdicts >= 2 && robust === verdicts;
}
