/** Compares two teams' runs: requirements met, how tasks ended, and where the work went. */
import { recordDiff } from '../../../record-kinds/diff.ts';
import { recordComparisons } from '../../../record-kinds/table.ts';
import { foldAllTeamFacts } from '../fold.ts';
import { deriveTeamed, type TeamDisplay } from './display-state.ts';
import { RECORDS } from './records.ts';
import { describeOutcome } from './status.ts';

/** Compares two runs of teams for `deliberate diff`. */
export const diffTeams = recordDiff({
  read: ({ view, facts }) => deriveTeamed(view, foldAllTeamFacts(facts)),
  heads: { outcome: ({ team }: TeamDisplay) => describeOutcome(team) },
  records: recordComparisons(RECORDS),
});
