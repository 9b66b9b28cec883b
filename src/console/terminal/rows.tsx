/**
 * Rows that are strings already, SGR codes and all, drawn at the least cost that Ink has: the node's
 * own text never changes, so nothing is measured or laid out again, and Ink asks for each row when
 * it draws (measured at 200×50: half of what a <Text> a column and row costs).
 *
 * Ink's own cleaning does not see these rows: whatever comes here has been through the door.
 */
import { Box, Transform } from 'ink';
import type { ReactNode } from 'react';

export function Rows({ rows }: { readonly rows: readonly string[] }): ReactNode {
  if (rows.length === 0) return null;
  const blank = rows.length === 1 ? ' ' : '\n'.repeat(rows.length - 1);
  return (
    <Box height={rows.length} flexShrink={0}>
      <Transform transform={(_, index) => rows[index] ?? ''}>{blank}</Transform>
    </Box>
  );
}
