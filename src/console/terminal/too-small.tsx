/** What a terminal shows that has no room for any screen. */
import type { ReactNode } from 'react';
import { truncate } from '../../text/width.ts';
import { LEAST_SCREEN } from './layout.ts';
import { Rows } from './rows.tsx';
import type { Theme } from './theme.ts';

interface TooSmallProps {
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
}

export function TooSmall({ columns, rows, theme }: TooSmallProps): ReactNode {
  const lines = [
    'terminal too small',
    `it is ${columns}x${rows}`,
    `needed: ${LEAST_SCREEN.columns}x${LEAST_SCREEN.rows}`,
  ];
  const shown = lines.slice(0, rows).map((line) => truncate(line, columns));
  return <Rows rows={shown.map((line, row) => (row === 0 ? theme.bold(line) : line))} />;
}
