/**
 * The fields that protocols add to exported runs. The start of a run needs neither this file nor
 * the files that this file imports.
 */

import type * as z from 'zod';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { describeSdkView, exportedSdkView } from '../sdk/exported.ts';
import { makeRecordedSchema, toExportedFacts } from '../sdk/recorded.ts';
import { agentNode, exportAgentTree } from './agents/exported.ts';
import { agentsOf } from './agents/fold.ts';
import { findBoardQuotations as quotationsOfBoard } from './board/quotations.ts';
import { describeQuotations, exportQuotations } from './common/quotations/exported.ts';
import { describePlan, exportedPlan } from './plan/exported.ts';
import { findRoundsQuotations as quotationsOfRounds } from './rounds/quotations.ts';
import { describeTeam, exportedTeam } from './team/exported.ts';

/**
 * A field that a protocol adds to exported runs for readers. Its value is computed from the facts,
 * and the command `import` ignores the field.
 */
interface Exported {
  readonly key: string;
  readonly describe: () => z.ZodType;
  /** Returns the field's value, or undefined if the run has none. */
  of(facts: readonly AnyFact[]): unknown;
}

/** The fields that protocols add to the JSON of an exported run. */
export const EXPORTED: readonly Exported[] = [
  {
    key: 'agents',
    describe: () => agentNode.optional(),
    of: (facts) => exportAgentTree(agentsOf(facts)),
  },
  {
    key: 'quotations',
    describe: describeQuotations,
    of: (facts) => exportQuotations({ ...quotationsOfBoard(facts), ...quotationsOfRounds(facts) }),
  },
  { key: 'plan', describe: describePlan, of: exportedPlan },
  { key: 'team', describe: describeTeam, of: exportedTeam },
  // This field has the state of every protocol that is written with the SDK, people's own protocols included. Its
  // key is `debate` because exports of older versions use that key.
  { key: 'debate', describe: describeSdkView, of: exportedSdkView },
  { key: 'records', describe: makeRecordedSchema, of: toExportedFacts },
];
