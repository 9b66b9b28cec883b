/**
 * Draws rows that are strings with SGR codes already, in the cheapest way Ink has: the node's own text never
 * changes, so nothing is measured or laid out again, and Ink asks for each row when it draws (measured at
 * 200×50: half the cost of a <Text> for each column and row).
 * Ink does not clean these rows, so they must be clean (see `door.ts`).
 */
import { Box, Transform } from 'ink';
import type { ReactNode } from 'react';

/** Draws rows with the library Ink, unchanged. */
export function Rows({ rows }: { readonly rows: readonly string[] }): ReactNode {
  if (rows.length === 0) return null;
  const blank = rows.length === 1 ? ' ' : '\n'.repeat(rows.length - 1);
  return (
    <Box height={rows.length} flexShrink={0}>
      <Transform transform={(_, index) => rows[index] ?? ''}>{blank}</Transform>
    </Box>
  );
}
