/** The two dialogs in which a person says something to a run: a note, and who is absent. */
import type { ReactNode } from 'react';
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import type { StressChoice } from '../stress.ts';
import type { Theme } from '../theme.ts';
import { Dialog, dialogRoom } from './dialog.tsx';
import { Rows } from './rows.tsx';

interface Place {
  readonly theme: Theme;
  readonly columns: number;
  readonly rows: number;
}

export function NoteDialog({
  typed,
  whom,
  theme,
  columns,
  rows,
}: Place & { readonly typed: string; readonly whom: string }): ReactNode {
  const width = Math.min(72, dialogRoom(columns, rows).width);
  // The end of what is typed stays in sight.
  const glyphs = [...typed];
  while (textWidth(glyphs.join('')) > width - 3) glyphs.shift();
  const line = `> ${glyphs.join('')}${theme.inverse(' ')}`;
  const hint = theme.dim(truncate('Enter sends it · Esc cancels', width));
  return (
    <Dialog
      title={truncate(`A note to ${whom}`, width)}
      columns={columns}
      rows={rows}
      width={width}
      height={4}
    >
      <Rows rows={['', line, '', hint]} />
    </Dialog>
  );
}

export function StressDialog({
  choices,
  at,
  theme,
  columns,
  rows,
}: Place & { readonly choices: readonly StressChoice[]; readonly at: number }): ReactNode {
  const width = Math.min(46, dialogRoom(columns, rows).width);
  const lines = choices.map(({ words }, index) => {
    const text = padEnd(truncate(`${index === at ? '>' : ' '} ${words}`, width), width);
    return index === at ? theme.inverse(text) : text;
  });
  return (
    <Dialog
      title="The next round is held"
      columns={columns}
      rows={rows}
      width={width}
      height={lines.length}
    >
      <Rows rows={lines} />
    </Dialog>
  );
}
