/**
 * The columns' text, all columns of a screen row in one string. Ink's work for a row does not depend
 * on how many columns are in it, and a row that did not change is the identical string.
 */
import { rowText } from '../../text/row.ts';
import { truncate } from '../../text/width.ts';
import { keyOf } from '../keymap.ts';
import type { Layout } from '../layout.ts';
import { type Note, notesOf } from '../notes.ts';
import { fill } from '../paint.ts';
import { heightOf, type Pane, textWidthOf } from '../panes.ts';
import type { Scene } from '../scene.ts';
import type { Theme } from '../theme.ts';

/**
 * Between two columns. ASCII, so that rows of ASCII text stay cheap to compare and to cut, and without
 * a colour of its own, which every changed row would carry once a column (measured: a quarter of all bytes).
 */
const GUTTER = '|';

export function bodyRows(scene: Scene, layout: Layout): string[] {
  const seats = scene.viewer.reading.panes.filter(({ kind }) => kind === 'seat');
  const columns = seats
    .slice(layout.first, layout.first + layout.shown)
    .map((pane) => paneRows(scene, layout, pane, layout.cell));
  return Array.from({ length: layout.body }, (_, row) =>
    columns
      .map((column) => column[row] ?? '')
      .join(GUTTER)
      .trimEnd(),
  );
}

/** A pane's visible rows, each `cells` wide. */
export function paneRows(scene: Scene, layout: Layout, pane: Pane, cells: number): string[] {
  const { viewer, painter, theme, now } = scene;
  const { voice } = pane;
  viewer.reading.holds.fit(pane, layout);
  const width = textWidthOf(pane, layout);
  const height = heightOf(pane, layout);
  const window = viewer.reading.holds.window(pane, layout, now);
  const query = viewer.reading.search?.query;
  const said = voice.text.length;
  const end = window.top + window.rows;
  const top = Math.min(window.top, said);
  const quoted = viewer.reading.quoted(voice);
  const rows = voice.text.slice(top, Math.min(end, said)).map((row, index) => {
    const at = top + index;
    if (quoted === undefined || at < quoted.from || at > quoted.to)
      return painter.cell(row, cells, query);
    return `>${painter.cell(row, cells, rowText(row)).slice(1)}`;
  });
  if (end > said)
    for (const note of notesOf(voice, width, now).slice(Math.max(0, window.top - said), end - said))
      rows.push(fill(paintNote(theme, note), note.text, cells));
  const blank = ' '.repeat(cells);
  while (rows.length < height) rows.push(blank);
  if (window.below > 0) {
    const bottom = keyOf(viewer.around.keymap, 'bottom');
    const hint = truncate(`${window.below} more below (${bottom})`, cells - 3);
    rows[height - 1] = fill(theme.inverse(` ${hint} `), ` ${hint} `, cells);
  }
  return rows;
}

/** A note in its look. */
export function paintNote(theme: Theme, { text, look }: Note): string {
  switch (look) {
    case 'plain':
      return text;
    case 'dim':
      return theme.dim(text);
    case 'bad':
      return theme.tone('red', text);
    case 'held':
      return theme.tone('yellow', text);
  }
}
