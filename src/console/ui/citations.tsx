/** The citations of a text as a dialog: the list, or the lines behind one of them. */
import type { ReactNode } from 'react';
import { padEnd, truncate } from '../../text/width.ts';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import { type Citing, citationsHeight, citedWords } from './citing.ts';
import { Dialog, dialogRoom } from './dialog.tsx';

interface Props {
  readonly citing: Citing;
  readonly theme: Theme;
  readonly columns: number;
  readonly rows: number;
}

export function Citations({ citing, theme, columns, rows }: Props): ReactNode {
  const width = Math.min(100, dialogRoom(columns, rows).width);
  const most = citationsHeight(rows);
  const lines = citing.reading ? citing.lines(width, most) : listed(citing, theme, width, most);
  const below = citing.below(most);
  return (
    <Dialog
      title={truncate(below > 0 ? `${citing.title} · ${below} more below` : citing.title, width)}
      columns={columns}
      rows={rows}
      width={width}
      height={Math.max(1, lines.length)}
    >
      <Rows rows={lines.length === 0 ? [''] : lines} />
    </Dialog>
  );
}

function listed({ cited, at }: Citing, theme: Theme, width: number, height: number): string[] {
  const first = Math.max(0, Math.min(at - (height >> 1), cited.length - height));
  return cited.slice(first, first + height).map((one, index) => {
    const chosen = first + index === at;
    const text = padEnd(truncate(`${chosen ? '>' : ' '} ${citedWords(one)}`, width), width);
    if (chosen) return theme.inverse(text);
    return one.citation.ok ? text : theme.tone('red', text);
  });
}
