/** A dialog in its box over the middle of the screen, with a blank beside it, so that no word runs into its border. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { truncate } from '../../text/width.ts';
import type { Keymap } from '../keys/keymap.ts';
import { cleanLine } from '../terminal/door.ts';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import type { Dialog } from './component.ts';
import { Select } from './select.tsx';

interface DialogViewProps {
  readonly dialog: Dialog;
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly columns: number;
  readonly rows: number;
}

/** Border and padding on both sides; the border and the title above and below. */
const FRAME = { width: 4, height: 3 } as const;

export function DialogView(props: DialogViewProps): ReactNode {
  const { dialog, theme, keymap, columns, rows } = props;
  const width = Math.min(dialog.width, columns - FRAME.width - 2);
  const most = rows - FRAME.height - 2;
  const lines = dialog.render({ theme, keymap, cells: width, height: most });
  const choice = dialog.list?.(Math.max(1, most - lines.length));
  const inside = Math.max(1, lines.length + (choice?.height ?? 0));
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
        <Text bold>{truncate(cleanLine(dialog.title), width)}</Text>
        <Rows rows={lines} />
        {choice !== undefined && <Select {...choice} theme={theme} width={width} />}
      </Box>
    </Box>
  );
}
