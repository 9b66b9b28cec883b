/** A form in its box. */
import type { ReactNode } from 'react';
import { truncate } from '../../text/width.ts';
import { cleanLine } from '../terminal/door.ts';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import { Dialog, dialogRoom } from './dialog.tsx';
import type { Form } from './forms/form.ts';

interface FormDialogProps {
  readonly form: Form;
  readonly theme: Theme;
  readonly columns: number;
  readonly rows: number;
}

export function FormDialog({ form, theme, columns, rows }: FormDialogProps): ReactNode {
  const room = dialogRoom(columns, rows);
  const width = Math.min(form.width, room.width);
  const lines = form.rows({ theme, cells: width, height: room.height });
  return (
    <Dialog
      title={truncate(cleanLine(form.title), width)}
      columns={columns}
      rows={rows}
      width={width}
      height={lines.length}
    >
      <Rows rows={lines} />
    </Dialog>
  );
}
