/** Compares two plans: their states, decisions, and how questions ended. */
import { recordDiff } from '../../../record-kinds/diff.ts';
import { recordComparisons } from '../../../record-kinds/table.ts';
import { planOf } from '../fold.ts';
import { derivePlanned, type PlanDisplay } from './display-state.ts';
import { RECORDS } from './records.ts';

/**
 * Compares two plans for `deliberate diff`: how they ended, and their decisions, conflicts and
 * statements.
 */
export const diffPlans = recordDiff({
  read: ({ view, facts }) => derivePlanned(view, planOf(facts)),
  heads: { state: ({ plan }: PlanDisplay) => plan.written?.state ?? 'not written' },
  records: recordComparisons(RECORDS),
});
