/** The subject of a verification: a workstream on a merged commit, alone or with all others. */
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import { checksOf } from '../../rules/plan.ts';
import type { CheckEnds } from '../../rules/verdicts.ts';
import type { JoinedCommit, WorkState } from '../state.ts';

/** What is to be verified: the requirements of a workstream, on a merged commit. */
export interface Subject {
  /** The prefix of the recorded steps. */
  readonly key: string;
  readonly round: number;
  readonly joined: JoinedCommit;
  readonly workstream: Workstream;
  readonly requirements: TeamPlan['requirements'];
  /** For a workstream that is verified alone: ids of the tasks whose work is in the commit. */
  readonly within?: ReadonlySet<string> | undefined;
}

/**
 * Groups the ids of checks by how they ended on a merged commit: `green` with exit code 0, `red` otherwise.
 * From version 5 of the rules on, `left` has the plan's checks that never ran on the base.
 */
export function groupCheckEnds({ team, ground }: WorkState, { ran }: JoinedCommit): CheckEnds {
  const listChecks = (isGreen: boolean): string[] =>
    [...ran].flatMap(([check, { exit }]) => ((exit === 0) === isGreen ? [check] : []));
  const left = checksOf(ground.plan).flatMap(({ id }) =>
    ground.base.some(({ check }) => check === id) ? [] : [id],
  );
  return {
    green: listChecks(true),
    red: listChecks(false),
    ...(team.edition < 5 ? {} : { left }),
  };
}
