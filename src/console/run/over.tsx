/** Draws the dialog over the run's screen. */
import type { ReactNode } from 'react';
import { DialogView } from '../ui/dialog.tsx';
import type { Scene } from './scene.ts';

/** Draws the open dialog of a run's screen. Returns null or undefined if none is open. */
export function dialogOver({ viewer, theme, columns, rows, layout }: Scene): ReactNode {
  const { dialog } = viewer;
  if (dialog === undefined || layout === undefined) return null;
  const { keymap } = viewer.around;
  return <DialogView dialog={dialog} theme={theme} keymap={keymap} columns={columns} rows={rows} />;
}
