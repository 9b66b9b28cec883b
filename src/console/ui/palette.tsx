/** The `:` palette as a dialog. */
import type { ReactNode } from 'react';
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import { Dialog, dialogRoom } from './dialog.tsx';
import type { Picker } from './picker.ts';

export interface PaletteProps {
  readonly picker: Picker;
  readonly theme: Theme;
  readonly columns: number;
  readonly rows: number;
}

export function Palette({ picker, theme, columns, rows }: PaletteProps): ReactNode {
  const room = dialogRoom(columns, rows);
  const width = Math.min(70, room.width);
  const height = Math.min(16, room.height);
  const listed = height - 1;
  const { choices, selected, typed } = picker;
  const first = Math.max(0, Math.min(selected - (listed >> 1), choices.length - listed));
  const lines = choices.slice(first, first + listed).map(({ description, key }, index) => {
    const chosen = first + index === selected;
    const text = padEnd(
      truncate(`${chosen ? '>' : ' '} ${description}`, width - textWidth(key) - 1),
      width - textWidth(key),
    );
    return chosen ? theme.inverse(text + key) : text + theme.dim(key);
  });
  if (lines.length === 0) lines.push(theme.dim('No command that applies now has these words.'));
  const shown = truncate([...typed].slice(-(width - 4)).join(''), width - 3);
  return (
    <Dialog title="Commands" columns={columns} rows={rows} width={width} height={height}>
      <Rows rows={[`: ${shown}${theme.inverse(' ')}`, ...lines]} />
    </Dialog>
  );
}
