/** Draws the dialog over an evaluation. */
import type { ReactNode } from 'react';
import type { Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import { DialogView } from '../ui/dialog.tsx';
import type { EvaluationState } from './state.ts';

interface Look {
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly columns: number;
  readonly rows: number;
}

/** Draws the open dialog of an evaluation's screen. Returns null or undefined if none is open. */
export function dialogOver({ mode }: EvaluationState, look: Look): ReactNode {
  return mode.kind === 'dialog' ? <DialogView dialog={mode.dialog} {...look} /> : null;
}
