/** Draws the dialog over the history. */
import type { ReactNode } from 'react';
import { DialogView } from '../ui/dialog.tsx';
import type { HistoryLook } from './page.ts';
import type { History } from './state.ts';

/** Draws the open dialog of the history. Returns null or undefined if none is open. */
export function dialogOver({ mode }: History, look: Omit<HistoryLook, 'now'>): ReactNode {
  return mode.kind === 'dialog' ? <DialogView dialog={mode.dialog} {...look} /> : null;
}
