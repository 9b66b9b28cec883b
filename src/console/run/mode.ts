/** What has the keys at the moment, and what the person was told last. */

import type { Command } from '../keys/keymap.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Dialog } from '../ui/component.ts';
import type { TextInput } from '../ui/text-input.ts';

/** What has the keys. A gate has them where nothing else is open. */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly input: TextInput }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'dialog'; readonly dialog: Dialog };

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
  readonly at: number;
  /** When the run has gone on to here, it is no news any more. */
  readonly until?: (runModel: LiveRun) => boolean;
}

/** Keys that do what they do even under a dialog. */
export const EVERYWHERE: ReadonlySet<Command> = new Set(['interrupt', 'suspend']);
/** Keys that work beside a gate's dialog, whose list has the arrows and Enter. */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/** What goes elsewhere puts the gate aside: the run waits on. */
export const PAST_GATE: ReadonlySet<Command> = new Set(['tab', 'help', 'palette', 'search']);
