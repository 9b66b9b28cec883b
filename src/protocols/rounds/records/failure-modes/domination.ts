/** FM-4: one role leads too often. */
import { formatCount } from '../../../../text/numbers.ts';
import { countLeads } from '../records.ts';
import { LEAD_DOMINANCE, LEAD_MAJORITY } from '../thresholds.ts';
import { addUp, computeEntropy, EPSILON, formatFigure, formatPercent } from '../trend.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 4: one role leads too many rounds, or the roles lead too unequally. */
export const detectDomination: Detector = ({ records }) => {
  const { roles } = records;
  if (roles.length < 2) return makeUnknown('one role alone dominates nobody');
  // Count the leads of stress rounds, too: those leads also shape what the panel says.
  const counts = countLeads(records, true);
  const rounds = addUp(counts);
  // Suspect nothing until there are more rounds than roles: before that, unequal numbers of led rounds show nothing,
  // because every role may still get its turn.
  if (rounds <= roles.length)
    return makeUnknown(`${formatCount(rounds, 'lead')} so far: it takes ${roles.length + 1}`);
  const most = Math.max(...counts);
  const leader = roles[counts.indexOf(most)];
  const bits = computeEntropy(counts);
  const wanted = LEAD_DOMINANCE * Math.log2(roles.length);
  if (most / rounds > LEAD_MAJORITY + EPSILON)
    return makeSuspected(`the ${leader} led ${most} of ${formatCount(rounds, 'round')}`);
  const share = `lead entropy is ${formatFigure(bits)} bits, ${formatFigure(wanted)} wanted`;
  return bits < wanted - EPSILON
    ? makeSuspected(share)
    : makeClear(`${share}; nobody led more than ${formatPercent(most / rounds)}`);
};
