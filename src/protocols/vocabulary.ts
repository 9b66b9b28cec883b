/** The facts of every protocol that comes with the program, for whoever reads a log. */

import type * as z from 'zod';
import { KERNEL } from '../kernel/facts.ts';
import { type AnyFact, type FactReader, readFacts } from '../kernel/vocabulary.ts';
import { describeSdkView, exportedSdkView } from '../sdk/exported.ts';
import { SDK } from '../sdk/facts.ts';
import { agentNode, agentTree } from './agents/exported.ts';
import { AGENTS } from './agents/facts.ts';
import { agentsOf } from './agents/fold.ts';
import { BOARD } from './board/facts.ts';
import { quotationsOf as quotationsOfBoard } from './board/quotations.ts';
import { describeQuotations, exportQuotations } from './common/quotations/exported.ts';
import { describePlan, exportedPlan } from './plan/exported.ts';
import { PLAN } from './plan/facts.ts';
import { ROUNDS } from './rounds/facts.ts';
import { quotationsOf as quotationsOfRounds } from './rounds/quotations.ts';
import { describeTeam, exportedTeam } from './team/exported.ts';
import { TEAM } from './team/facts.ts';

/** Each contains the kernel's. */
export const VOCABULARIES = [KERNEL, BOARD, ROUNDS, AGENTS, PLAN, TEAM, SDK] as const;

/** Reads any log of this program, and what protocols of somebody's own have added to it. */
export const FACTS: FactReader = readFacts(...VOCABULARIES);

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
];
