/** What protocols add to exported runs. Nothing at the start of a run needs it, nor what it imports. */

import type * as z from 'zod';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { describeSdkView, exportedSdkView } from '../sdk/exported.ts';
import { describeRecorded, exportedRecorded } from '../sdk/recorded.ts';
import { agentNode, agentTree } from './agents/exported.ts';
import { agentsOf } from './agents/fold.ts';
import { quotationsOf as quotationsOfBoard } from './board/quotations.ts';
import { describeQuotations, exportQuotations } from './common/quotations/exported.ts';
import { describePlan, exportedPlan } from './plan/exported.ts';
import { quotationsOf as quotationsOfRounds } from './rounds/quotations.ts';
import { describeTeam, exportedTeam } from './team/exported.ts';

/** What a protocol adds to an exported run for readers; folded from the facts, and ignored by `import`. */
interface Exported {
  readonly key: string;
  readonly describe: () => z.ZodType;
  /** Undefined where the run has nothing of the kind. */
  of(facts: readonly AnyFact[]): unknown;
}

export const EXPORTED: readonly Exported[] = [
  {
    key: 'agents',
    describe: () => agentNode.optional(),
    of: (facts) => agentTree(agentsOf(facts)),
  },
  {
    key: 'quotations',
    describe: describeQuotations,
    of: (facts) => exportQuotations({ ...quotationsOfBoard(facts), ...quotationsOfRounds(facts) }),
  },
  { key: 'plan', describe: describePlan, of: exportedPlan },
  { key: 'team', describe: describeTeam, of: exportedTeam },
  // Any protocol of somebody's own has these too; the key is the one that files of exported runs have.
  { key: 'debate', describe: describeSdkView, of: exportedSdkView },
  { key: 'records', describe: describeRecorded, of: exportedRecorded },
];
