/** A box over the middle of the screen. Its border is ASCII, like the gutters and for their reason. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { truncate } from '../../text/width.ts';
import { Rows } from '../terminal/rows.tsx';

export interface DialogProps {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Of what is inside. */
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/** Border and padding on both sides; the border and the title above and below. */
const FRAME = { width: 4, height: 3 } as const;

/** The most that a dialog can hold on this screen. */
export function dialogRoom(columns: number, rows: number): { width: number; height: number } {
  return { width: columns - FRAME.width - 2, height: rows - FRAME.height - 2 };
}

export function Dialog({ title, columns, rows, width, height, children }: DialogProps): ReactNode {
  const outer = { width: width + FRAME.width, height: height + FRAME.height };
  const top = Math.max(0, Math.floor((rows - outer.height) / 2));
  const left = Math.max(0, Math.floor((columns - outer.width) / 2));
  const blank = ' '.repeat(outer.width);
  return (
    <Box position="absolute" top={top} left={left} width={outer.width} height={outer.height}>
      <Box position="absolute">
        <Rows rows={Array.from({ length: outer.height }, () => blank)} />
      </Box>
      <Box
        borderStyle="classic"
        paddingX={1}
        flexDirection="column"
        width={outer.width}
        height={outer.height}
      >
        <Text bold>{truncate(title, width)}</Text>
        {children}
      </Box>
    </Box>
  );
}
