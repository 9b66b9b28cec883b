/** What receives keys now, and the last message to the person. */

import type { Command } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Dialog } from '../ui/component.ts';
import type { TextInput } from '../ui/text-input.ts';

/** What receives keys. A gate receives them if nothing else is open. */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly input: TextInput }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'dialog'; readonly dialog: Dialog };

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
  readonly at: number;
  /** Returns true when the run has moved on and the message is outdated. */
  readonly until?: (runModel: LiveRun) => boolean;
}

/** Commands that work even while a dialog is open. */
export const EVERYWHERE: ReadonlySet<Command> = new Set(['interrupt', 'suspend']);
/** Commands that work beside a gate, whose list uses the arrows and Enter. */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/** Commands that put the gate aside to look elsewhere; the run keeps waiting. */
export const PAST_GATE: ReadonlySet<Command> = new Set(['tab', 'help', 'palette', 'search']);
