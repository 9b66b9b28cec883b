/** What receives keys now, and the last message to the person. */

import type { Command } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Dialog } from '../ui/component.ts';
import type { TextInput } from '../ui/text-input.ts';

/**
 * What receives keys. If nothing is open, an unanswered question of the run (a gate) receives them.
 */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly input: TextInput }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'dialog'; readonly dialog: Dialog };

/** A message in the last rows of the screen. */
export interface Notice {
  readonly text: string;
  /** Whether the message reports a failure. */
  readonly bad: boolean;
  /** The time of the message, in milliseconds. */
  readonly at: number;
  /** Returns whether the run has changed so that the message is outdated. */
  readonly until?: (runModel: LiveRun) => boolean;
}

/** Commands that work even while a dialog is open. */
export const EVERYWHERE: ReadonlySet<Command> = new Set(['interrupt', 'suspend']);
/**
 * Commands that still work while the run asks the person a question. Other keys belong to the
 * question's list.
 */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/**
 * Commands that hide the question that the run asks the person. The run keeps waiting for the
 * answer.
 */
export const PAST_GATE: ReadonlySet<Command> = new Set(['tab', 'help', 'palette', 'search']);
