/** A workstream on a joined commit, as it is verified: by itself, or with all others. */
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import type { Joined } from '../join.ts';

/** What is verified, and of which commit. */
export interface Subject {
  readonly key: string;
  readonly round: number;
  readonly joined: Joined;
  readonly workstream: Workstream;
  readonly requirements: TeamPlan['requirements'];
  /** Of a workstream by itself: the tasks whose work is in it. */
  readonly within?: ReadonlySet<string> | undefined;
}

/** Checks by how they ended on the joined commit. */
export function endsOf({ ran }: Joined): { readonly green: string[]; readonly red: string[] } {
  const ended = (isGreen: boolean): string[] =>
    [...ran].flatMap(([check, { exit }]) => ((exit === 0) === isGreen ? [check] : []));
  return { green: ended(true), red: ended(false) };
}
