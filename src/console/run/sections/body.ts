/**
 * Draws the columns' text: one string for each row of the screen, across all columns. The cost in Ink then does
 * not depend on the number of columns, and an unchanged row is the identical string.
 */
import { rowText } from '../../../text/rows/row.ts';
import { truncateLine } from '../../../text/width.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import { listNotes, type Note } from '../../model/notes.ts';
import { GAP, type Layout } from '../../terminal/layout.ts';
import { padPainted } from '../../terminal/paint.ts';
import type { Theme } from '../../terminal/theme.ts';
import { formatMoreBelow as moreWords } from '../../ui/below.ts';
import { getAnswerRow, getPaneHeight, type Pane, textWidthOf } from '../panes.ts';
import type { Scene } from '../scene.ts';

/** Draws the text of the visible columns of seats, without their headings. */
export function bodyRows(scene: Scene, layout: Layout): string[] {
  const seats = scene.viewer.reading.panes.filter(({ kind }) => kind === 'seat');
  const columns = seats
    .slice(layout.first, layout.first + layout.shown)
    .map((pane) => paneRows(scene, layout, pane, layout.cell));
  return Array.from({ length: layout.body }, (_, row) =>
    columns
      .map((column) => column[row] ?? '')
      .join(GAP)
      .trimEnd(),
  );
}

/** Draws the visible rows of a pane, each `cells` wide: its thinking, its text and the notes below. */
export function paneRows(scene: Scene, layout: Layout, pane: Pane, cells: number): string[] {
  const { viewer, painter, theme, now } = scene;
  const { stream } = pane;
  viewer.reading.holds.fit(pane, layout);
  const width = textWidthOf(pane, layout);
  const height = getPaneHeight(pane, layout);
  const window = viewer.reading.holds.window(pane, layout, now);
  const query = viewer.reading.search?.query;
  const { keymap } = viewer.around;
  const preface = getAnswerRow(stream);
  const said = preface + stream.text.length;
  const end = window.top + window.rows;
  const quoted = viewer.reading.findQuoted(stream);
  const top = Math.min(window.top, said) - preface;
  const spoken = stream.text.slice(top, Math.min(end, said) - preface).map((row, index) => {
    const at = Math.max(0, top) + index;
    if (quoted === undefined || at < quoted.from || at > quoted.to)
      return painter.cell(row, cells, query);
    return `>${painter.cell(row, cells, rowText(row)).slice(1)}`;
  });
  const rows = stream.thinking
    .slice(window.top, Math.min(end, preface), width, keyOf(keymap, 'thinking'))
    .map((row) => painter.cell(row, cells, query))
    .concat(spoken);
  if (end > said)
    for (const note of listNotes(stream, width, now).slice(
      Math.max(0, window.top - said),
      end - said,
    ))
      rows.push(padPainted(paintNote(theme, note), note.text, cells));
  const blank = ' '.repeat(cells);
  while (rows.length < height) rows.push(blank);
  if (window.below > 0) {
    const hint = truncateLine(belowWords(scene, pane, window.below), cells - 3);
    rows[height - 1] = padPainted(theme.inverse(` ${hint} `), ` ${hint} `, cells);
  }
  return rows;
}

/**
 * Formats the hint below a pane: `held · 34 below, 12 new (G follows)` if its text grows, otherwise `34 more
 * below (PgDn)`. The key is named only if it scrolls this pane.
 */
function belowWords({ viewer }: Scene, pane: Pane, below: number): string {
  const { reading, around } = viewer;
  const { keymap } = around;
  if (!pane.stream.running)
    return reading.scrolls(pane) ? moreWords(below, keymap) : `${below} more below`;
  const key = reading.scrolls(pane) ? keyOf(keymap, 'bottom') : '';
  const fresh = Math.min(below, reading.holds.fresh(pane));
  const words = fresh === 0 ? `${below} below` : `${below} below, ${fresh} new`;
  return `held · ${words}${key && ` (${key} follows)`}`;
}

/** Colors a note (a line below the output of a call) in the style that the note names. */
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
