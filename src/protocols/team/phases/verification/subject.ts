/** The subject of a verification: a workstream on a joined commit, alone or with all others. */
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import type { Joined } from '../join.ts';

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

/** Returns the ids of the checks that are green and of those that are red on a joined commit. */
export function endsOf({ ran }: Joined): { readonly green: string[]; readonly red: string[] } {
  const ended = (isGreen: boolean): string[] =>
    [...ran].flatMap(([check, { exit }]) => ((exit === 0) === isGreen ? [check] : []));
  return { green: ended(true), red: ended(false) };
}
