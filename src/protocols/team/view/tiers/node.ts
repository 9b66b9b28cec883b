/** What a row of the Team tab's tree has, and what rows of every tier ask. */

import type { Level } from '../../forms/plan.ts';
import type { CallCost, Payee } from '../costs.ts';
import type { Running, Teamed } from '../display-state.ts';
import { LEVEL_WORDS, type RowState } from '../wording.ts';

/** What a row stands for, which Enter opens. */
export type Subject =
  | { readonly kind: 'plan' | 'design' | 'acceptance' | 'delivery' }
  | { readonly kind: 'domain' | 'workstream' | 'task' | 'tests'; readonly id: string }
  | { readonly kind: 'verifier'; readonly id: string; readonly seat: string };

/** A row of the Team tab. */
export interface TierRow {
  readonly key: string;
  readonly subject: Subject;
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
  readonly level: string;
  /** The attempts, such as `2 of 3`. */
  readonly tries: string;
  readonly checks: string;
  readonly spent: CallCost;
}

/** A row with the rows below it, before it has a depth. */
export type Node = Omit<TierRow, 'depth' | 'branch' | 'level' | 'tries' | 'checks' | 'spent'> &
  Partial<Pick<TierRow, 'level' | 'tries' | 'checks' | 'spent'>> & {
    readonly below?: readonly Node[];
  };

/** Returns whether a cost was for one task. It is shown with this task, whichever seat was asked. */
export function isWork({ parts }: Payee): boolean {
  return parts[0] === 'task';
}

/** Returns whether a cost was for one of these domains or workstreams. */
export function isAbout({ parts }: Payee, things: readonly { readonly id: string }[]): boolean {
  return things.some(({ id }) => parts.includes(id));
}

/** Returns the level of a seat's models in words, or an empty text if the run has no such seat. */
export function levelOfSeat(seat: string, { config }: Teamed): string {
  const tiers = new Map(Object.entries(config?.tiers ?? {}));
  const level: Level | undefined = tiers.get(seat)?.level;
  return level === undefined ? '' : LEVEL_WORDS[level];
}

/** Returns whether a call that fulfils the condition is running. */
export function isWorking({ running }: Teamed, which: (one: Running) => boolean): boolean {
  return running.some(which);
}
