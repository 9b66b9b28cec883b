/** Defines what the phases between the first task and the last verdict share in memory. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import type { Effort } from '../facts.ts';
import type { Level } from '../forms/plan.ts';
import type { Failure } from '../rules/failures.ts';
import { findAllBefore } from '../rules/graph.ts';
import type { TeamRun, WorkBasis } from '../team-run.ts';
import type { BlindSet } from './tests.ts';

/** A commit that merges the work so far, with the results of its checks. */
export interface JoinedCommit {
  readonly commit: string;
  readonly tree: string;
  /** The result of each check on the commit, by the check's id. */
  readonly ran: ReadonlyMap<string, CheckRun>;
}

/**
 * Tasks that have to be worked on again because a merge or a verification failed. `floor` is the
 * commit from which they continue.
 */
export interface SentDown {
  readonly floor: string;
  readonly failed: readonly { readonly task: string; readonly failure: Failure }[];
}

/** The shared state of the phases that work and verify. */
export interface WorkState {
  readonly team: TeamRun;
  /** The plan and the commit that the work starts from, with the results of checks on it. */
  readonly ground: WorkBasis;
  /** The acceptance tests. */
  readonly tests: readonly BlindSet[];
  /**
   * The commit that a round sent back last, from which tasks of later rounds start; undefined before that.
   */
  readonly floor?: string | undefined;
  /**
   * The commit from which a task continues, by the task's id: a kept part of the task, or the merged commit of its
   * workstream that was sent back.
   */
  readonly parts: Map<string, string>;
  /** The new tests of a task that fail without its work, by the task's id. */
  readonly red: Map<string, readonly string[]>;
  /** The current round, counted from 1. */
  readonly round: number;
  /**
   * Workstreams that passed when they were verified alone, by id. `made` lists the ids of the tasks' commits
   * that were verified, so that a workstream with other commits counts as not verified. `joined` is the
   * merged commit.
   */
  readonly verified: Map<string, { readonly made: string; readonly joined: JoinedCommit }>;
}

/** What is known when an attempt at a task begins. */
export interface Start {
  /** The id of the task. */
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The commit that the attempt starts from. */
  readonly commit: string;
  /** The capability level of the model. */
  readonly level: Level;
  /** How much effort the model is asked to make. */
  readonly effort: Effort;
}

/**
 * Returns whether a requirement has to be met when a task is done: true if all other tasks that
 * cover the requirement come before this task.
 */
export function completesRequirement(
  { team }: Pick<WorkState, 'team'>,
  task: string,
  requirement: string,
): boolean {
  const { tasks, ordered } = team.graph;
  const before = findAllBefore(task, tasks, ordered);
  return tasks.every(
    ({ id, covers }) => id === task || !covers.includes(requirement) || before.has(id),
  );
}
