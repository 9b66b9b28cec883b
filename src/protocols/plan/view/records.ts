/** The kinds of records of a plan, in the order of the report, and where each is shown. */
import { recordKind } from '../../../record-kinds/kind.ts';
import { type RecordEntry, recordEntry } from '../../../record-kinds/table.ts';
import { DECISION, TASK } from './carried.ts';
import { CONFLICT } from './conflict.ts';
import type { PlanDisplay } from './display-state.ts';
import { GATE } from './gate.ts';
import { STATEMENT } from './statement.ts';

const FILE = recordKind({
  name: 'Files',
  about: 'Written into the repository, with the SHA-256 of their content.',
  all: ({ plan }: PlanDisplay) => [...plan.files].map(([path, file]) => ({ path, ...file })),
  id: ({ path }) => path,
  heading: ({ path }) => path,
  columns: [
    { title: 'file', of: ({ path }) => path },
    { title: 'written', of: ({ at }) => at },
    { title: 'SHA-256', of: ({ sha256 }) => sha256.slice(0, 12) },
  ],
});

/** The kinds of records of a plan, each with how a report and a comparison of runs show it. */
export const RECORDS: readonly RecordEntry<PlanDisplay>[] = [
  recordEntry(DECISION, { compared: { as: 'decisions', id: ({ id }) => id.replace('-', ' ') } }),
  recordEntry(TASK),
  recordEntry(CONFLICT, {
    tab: { id: 'conflicts', place: 3 },
    section: { evenIfNone: true },
    compared: { as: 'conflicts' },
  }),
  recordEntry(STATEMENT, { compared: { as: 'statements' } }),
  recordEntry(FILE),
  recordEntry(GATE, { tab: { id: 'gate', place: 2 } }),
];
