/**
 * Draws a dialog in a box over the middle of the screen. Blanks on both sides separate its border from other
 * text.
 */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { toLine } from '../../text/line.ts';
import { truncateLine } from '../../text/width.ts';
import type { Keymap } from '../keys/keymap.ts';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import type { Dialog } from './component.ts';
import { drawItemInFull } from './list.ts';
import { Select } from './select.tsx';

interface DialogLook {
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly columns: number;
  readonly rows: number;
}

/** Cells and rows taken by border, padding and title. */
const FRAME = { width: 4, height: 3 } as const;
/** From this height on, a dialog leaves the status line below it visible. */
const SHOWS_STATUS = 16;

/** Draws a dialog as a box over a screen, with the library Ink. */
export function dialogOver(dialog: Dialog, look: DialogLook): ReactNode {
  const { theme, keymap, columns, rows } = look;
  const width = Math.min(dialog.width, columns - FRAME.width - 2);
  const most = rows - FRAME.height - (rows < SHOWS_STATUS ? 2 : 3);
  const below = wholeBelow(dialog, width, most).map((row) => theme.dim(row));
  const room = most - below.length;
  const lines = dialog.render({ theme, keymap, cells: width, height: room });
  const choice = dialog.list?.(Math.max(1, room - lines.length));
  const inside = Math.max(1, lines.length + (choice?.height ?? 0) + below.length);
  const outer = { width: width + FRAME.width, height: inside + FRAME.height };
  const top = Math.max(0, Math.floor((rows - outer.height) / 2));
  const left = Math.max(0, Math.floor((columns - outer.width) / 2));
  const beside = left > 0 ? 1 : 0;
  const blank = ' '.repeat(outer.width + 2 * beside);
  return (
    <Box position="absolute" top={top} left={left} width={outer.width} height={outer.height}>
      <Box position="absolute" left={-beside}>
        <Rows rows={Array.from({ length: outer.height }, () => blank)} />
      </Box>
      <Box
        borderStyle={theme.frame}
        paddingX={1}
        flexDirection="column"
        width={outer.width}
        height={outer.height}
      >
        <Text bold>{truncateLine(toLine(dialog.title), width)}</Text>
        <Rows rows={lines} />
        {choice !== undefined && <Select {...choice} theme={theme} width={width} />}
        <Rows rows={below} />
      </Box>
    </Box>
  );
}

/**
 * Returns the full text of the list's current item, for lists that are not narrowed by letters and if enough of
 * the box is left.
 */
function wholeBelow(dialog: Dialog, width: number, most: number): string[] {
  const list = dialog.list?.(most)?.list;
  if (list === undefined || list.filter !== undefined) return [];
  const rows = drawItemInFull(list, width);
  if (rows.length === 0 || rows.length + 1 + list.items.length > most / 1.5) return [];
  return ['', ...rows];
}
