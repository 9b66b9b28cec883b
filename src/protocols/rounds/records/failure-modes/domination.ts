/** FM-4: one role leads too often. */
import { plural } from '../../../../text/numbers.ts';
import { countLeads } from '../records.ts';
import { LEAD_DOMINANCE, LEAD_MAJORITY } from '../thresholds.ts';
import { computeEntropy, EPSILON, formatFigure, formatPercent, sum } from '../trend.ts';
import { clear, type Detector, suspected, unknown } from './detector.ts';

/** Detects failure mode 4: one role leads too many rounds. */
export const domination: Detector = ({ records }) => {
  const { roles } = records;
  if (roles.length < 2) return unknown('one role alone dominates nobody');
  // Count the leads of stress rounds, too: those leads also shape what the panel says.
  const counts = countLeads(records, true);
  const rounds = sum(counts);
  // Return `unknown` until there are more rounds than roles: before, every role may still lead as
  // often as the others.
  if (rounds <= roles.length)
    return unknown(`${plural(rounds, 'lead')} so far: it takes ${roles.length + 1}`);
  const most = Math.max(...counts);
  const leader = roles[counts.indexOf(most)];
  const bits = computeEntropy(counts);
  const wanted = LEAD_DOMINANCE * Math.log2(roles.length);
  if (most / rounds > LEAD_MAJORITY + EPSILON)
    return suspected(`the ${leader} led ${most} of ${plural(rounds, 'round')}`);
  const share = `lead entropy is ${formatFigure(bits)} bits, ${formatFigure(wanted)} wanted`;
  return bits < wanted - EPSILON
    ? suspected(share)
    : clear(`${share}; nobody led more than ${formatPercent(most / rounds)}`);
};
