/** The kinds of records of a team's run, in the order of the report, and where each is shown. */
import { type RecordEntry, recordEntry } from '../../../record-kinds/table.ts';
import { CHECK } from './check.ts';
import type { TeamDisplay } from './display-state.ts';
import { REQUIREMENT } from './requirement-text.ts';
import { TASK } from './task-text.ts';

/** A team's kinds of records. The tabs of requirements and tasks are not made from this table. */
export const RECORDS: readonly RecordEntry<TeamDisplay>[] = [
  recordEntry(REQUIREMENT, { compared: { as: 'requirements' } }),
  recordEntry(TASK, { compared: { as: 'tasks' } }),
  recordEntry(CHECK, { tab: { id: 'checks', place: 4 } }),
];
