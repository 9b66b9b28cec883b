/** The subject of a verification: a workstream on a joined commit, alone or with all others. */
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import { checksOf } from '../../rules/plan.ts';
import type { CheckEnds } from '../../rules/verdicts.ts';
import type { Joined, WorkState } from '../state.ts';

/** A workstream, the joined commit to verify it on, and the requirements to verify. */
export interface Subject {
  readonly key: string;
  readonly round: number;
  readonly joined: Joined;
  readonly workstream: Workstream;
  readonly requirements: TeamPlan['requirements'];
  /** For a workstream that is verified alone: ids of the tasks whose work is in the commit. */
  readonly within?: ReadonlySet<string> | undefined;
}

/** Returns the ids of the plan's checks by how they ended on a joined commit. */
export function endsOf({ team, ground }: WorkState, { ran }: Joined): CheckEnds {
  const ended = (isGreen: boolean): string[] =>
    [...ran].flatMap(([check, { exit }]) => ((exit === 0) === isGreen ? [check] : []));
  const left = checksOf(ground.plan).flatMap(({ id }) =>
    ground.base.some(({ check }) => check === id) ? [] : [id],
  );
  return {
    green: ended(true),
    red: ended(false),
    ...(team.edition < 5 ? {} : { left }),
  };
}
