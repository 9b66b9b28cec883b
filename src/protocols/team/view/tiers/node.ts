/** What a row of the Team tab's tree has, and what rows of every tier ask. */

import type { Level } from '../../forms/plan.ts';
import type { CallCost, CostOrigin } from '../costs.ts';
import type { RunningCall, TeamDisplay } from '../display-state.ts';
import { LEVEL_WORDS, type RowState } from '../wording.ts';

/** What a row of the Team tab is about. Enter opens its page. */
export type Subject =
  | { readonly kind: 'plan' | 'design' | 'acceptance' | 'delivery' }
  | { readonly kind: 'domain' | 'workstream' | 'task' | 'tests'; readonly id: string }
  | { readonly kind: 'verifier'; readonly id: string; readonly seat: string };

/** A row of the Team tab. */
export interface TierRow {
  /** The row's identity, which stays the same while the run goes on. */
  readonly key: string;
  readonly subject: Subject;
  /** How deep the row is in the tree; 0 for the highest rows. */
  readonly depth: number;
  /** Whether the row has rows below it. */
  readonly branch: boolean;
  /** The row's name, such as `T4 json-flag`. */
  readonly name: string;
  /** A description from the plan or the design, as models wrote it. */
  readonly about: string;
  readonly state: RowState;
  /** The state in words, such as `working, turn 3` or `waits for records`. */
  readonly words: string;
  /** The capability level, such as `fast`. */
  readonly level: string;
  /** The attempts, such as `2 of 3`. */
  readonly tries: string;
  /** The results of the row's checks, such as `3✓ 1✗`. */
  readonly checks: string;
  readonly spent: CallCost;
}

/** A row of the Team tab with the rows below it. Its depth is only known when all rows are put in one list. */
export type Node = Omit<TierRow, 'depth' | 'branch' | 'level' | 'tries' | 'checks' | 'spent'> &
  Partial<Pick<TierRow, 'level' | 'tries' | 'checks' | 'spent'>> & {
    readonly below?: readonly Node[];
  };

/**
 * Returns whether a cost belongs to one task. Such a cost is shown with the task, whichever seat
 * was asked.
 */
export function isWork({ parts }: CostOrigin): boolean {
  return parts[0] === 'task';
}

/** Returns whether a cost belongs to one of these domains or workstreams. */
export function isAbout(
  { parts }: CostOrigin,
  things: readonly { readonly id: string }[],
): boolean {
  return things.some(({ id }) => parts.includes(id));
}

/** Returns the capability level of a seat in words; empty if the run's settings name none for it. */
export function levelOfSeat(seat: string, { config }: TeamDisplay): string {
  const tiers = new Map(Object.entries(config?.tiers ?? {}));
  const level: Level | undefined = tiers.get(seat)?.level;
  return level === undefined ? '' : LEVEL_WORDS[level];
}

/** Returns whether `which` returns true for any running call. */
export function isWorking({ running }: TeamDisplay, which: (one: RunningCall) => boolean): boolean {
  return running.some(which);
}
