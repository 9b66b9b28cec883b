/** FM-5: so many claims that testing cannot keep up, or so few that disagreement stays unsaid. */
import { pendingShare } from '../six-signals.ts';
import { INFLATED, INFLATED_PENDING, ROUNDS_FOR_A_RATE, STARVED, WINDOW } from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { count, EPSILON, figure, mean, percent } from '../trend.ts';
import { clear, type Detector, suspected, unknown } from './evidence.ts';

export const claimRate: Detector = ({ records, rounds }) => {
  if (rounds.length < WINDOW)
    return unknown(`${count(rounds.length, 'round')} so far: it takes ${WINDOW}`);
  const overall = rate(rounds);
  const recent = rate(rounds.slice(-ROUNDS_FOR_A_RATE));
  const most = Math.max(overall, recent);
  const pending = pendingShare(records.claims);
  if (most > INFLATED + EPSILON && pending > INFLATED_PENDING + EPSILON)
    return suspected(`${figure(most)} claims a round, and ${percent(pending)} are pending`);
  const least = Math.min(overall, recent);
  if (least < STARVED - EPSILON) return suspected(`only ${figure(least)} claims a round`);
  return clear(`${figure(overall)} claims a round, ${percent(pending)} pending`);
};

function rate(rounds: readonly Tally[]): number {
  return mean(rounds.map(({ raised }) => raised));
}
