/** What the phases from the first task to the last verdict have in common, besides what is on record. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import type { Effort } from '../facts.ts';
import type { Level } from '../forms/plan.ts';
import type { Failure } from '../rules/failures.ts';
import { allBefore } from '../rules/graph.ts';
import type { Ground, TeamRun } from '../team-run.ts';
import type { BlindSet } from './tests.ts';

/** A commit that several tasks' commits were joined to. */
export interface Joined {
  readonly commit: string;
  readonly tree: string;
  /** What each check came to on it. */
  readonly ran: ReadonlyMap<string, CheckRun>;
}

/** What goes back, and the commit that it goes on from. */
export interface SentDown {
  readonly floor: string;
  readonly failed: readonly { readonly task: string; readonly failure: Failure }[];
}

export interface WorkState {
  readonly team: TeamRun;
  readonly ground: Ground;
  readonly tests: readonly BlindSet[];
  /** What tasks of a later round start from: the commit that was sent back. */
  readonly floor?: string | undefined;
  /** By task: the commit of a part that stands, from which the rest goes on. */
  readonly parts: Map<string, string>;
  /** By task whose own new tests fail without its work: these tests. */
  readonly red: Map<string, readonly string[]>;
  /** The current round, counted from 1. */
  readonly round: number;
  /**
   * Workstreams that passed when verified alone, by id: `made` of their commits (`partsOf`), and the joined
   * commit.
   */
  readonly verified: Map<string, { readonly made: string; readonly joined: Joined }>;
}

/** One attempt at a task, as it begins. */
export interface Start {
  readonly id: string;
  readonly attempt: number;
  /** What it starts from. */
  readonly commit: string;
  readonly level: Level;
  readonly effort: Effort;
}

/** Whether all tasks that cover a requirement come before this one: with it, it has to be met. */
export function completes(
  { team }: Pick<WorkState, 'team'>,
  task: string,
  requirement: string,
): boolean {
  const { tasks, ordered } = team.graph;
  const before = allBefore(task, tasks, ordered);
  return tasks.every(
    ({ id, covers }) => id === task || !covers.includes(requirement) || before.has(id),
  );
}
