/** Compares two plans: their states, decisions, and how questions ended. */
import { comparing, recordDiff } from '../../../record-kinds/diff.ts';
import { planOf } from '../fold.ts';
import { DECISION } from './carried.ts';
import { CONFLICT } from './conflict.ts';
import { derivePlanned, type Planned } from './display-state.ts';
import { STATEMENT } from './statement.ts';

/** The parts of two plans that `deliberate diff` compares. */
export const diffPlans = recordDiff({
  read: ({ view, facts }) => derivePlanned(view, planOf(facts)),
  heads: { state: ({ plan }: Planned) => plan.written?.state ?? 'not written' },
  records: {
    decisions: comparing({ ...DECISION, id: ({ id }) => id.replace('-', ' ') }),
    conflicts: comparing(CONFLICT),
    statements: comparing(STATEMENT),
  },
});
