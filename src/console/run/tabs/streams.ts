/** Draws the running calls of a phase side by side, each in a column that follows its output. */

import { splitSpec } from '../../../kernel/providers/spec.ts';
import { joinLines } from '../../../text/line.ts';
import { padEnd } from '../../../text/width.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { listNotes } from '../../model/notes.ts';
import type { RunModel } from '../../model/run-model.ts';
import { formatState } from '../../model/states.ts';
import { GAP, LEAST_COLUMN } from '../../terminal/layout.ts';
import { padPainted } from '../../terminal/paint.ts';
import { FOLLOW, windowOf } from '../../ui/scroll.ts';
import type { PageScene } from '../page-scene.ts';
import { paintNote } from '../sections/body.ts';
import { headingLine } from '../sections/headers.ts';

/** The least useful height of a row of columns. */
const LEAST_BAND = 8;
/** Rows of a heading and its rule. */
const HEADED = 2;

/**
 * Draws the latest output of several calls in columns side by side, in `height` rows of `cells` cells.
 * If there is too little room for all calls, running calls are shown first, and the last row counts
 * those that are hidden.
 */
export function streamRows(
  scene: PageScene,
  streams: readonly CallStream[],
  cells: number,
  height: number,
): string[] {
  const abreast = Math.max(1, Math.floor((cells + 1) / (LEAST_COLUMN + 1)));
  const most = Math.max(1, Math.floor(height / LEAST_BAND));
  const sections = Math.min(most, Math.ceil(streams.length / abreast));
  // If there is no room for all calls, show the running ones first.
  const shown = (
    streams.length <= sections * abreast
      ? streams
      : [...streams].sort((a, b) => Number(b.running) - Number(a.running))
  ).slice(0, sections * abreast);
  const hidden = streams.length - shown.length;
  const free = height - (hidden > 0 ? 1 : 0);
  const each = Math.ceil(shown.length / sections);
  const rows = Array.from({ length: sections }, (_, section) =>
    bandRows(
      scene,
      shown.slice(section * each, (section + 1) * each),
      cells,
      section === sections - 1
        ? free - section * Math.floor(free / sections)
        : Math.floor(free / sections),
    ),
  ).flat();
  if (hidden > 0)
    rows.push(scene.theme.dim(padEnd(` ${hidden} more: no room for a column`, cells)));
  return rows;
}

function bandRows(
  scene: PageScene,
  streams: readonly CallStream[],
  cells: number,
  height: number,
): string[] {
  const each = Math.floor((cells - (streams.length - 1)) / streams.length);
  const columns = streams.map((stream, index) => {
    const last = index === streams.length - 1;
    return columnRows(scene, stream, last ? cells - index * (each + 1) : each, height);
  });
  return Array.from({ length: height }, (_, row) =>
    columns.map((column) => column[row] ?? '').join(GAP),
  );
}

function columnRows(scene: PageScene, stream: CallStream, cells: number, height: number): string[] {
  const { painter, theme, now } = scene;
  stream.text.resize(cells - 2);
  const notes = listNotes(stream, cells - 2, now);
  const said = stream.text.length;
  const window = windowOf(FOLLOW, said + notes.length, height - HEADED, stream.running);
  const end = window.top + window.rows;
  const rows = withHeading(scene, stream, cells);
  for (const row of stream.text.slice(Math.min(window.top, said), Math.min(end, said)))
    rows.push(painter.cell(row, cells));
  if (end > said)
    for (const note of notes.slice(Math.max(0, window.top - said), end - said))
      rows.push(padPainted(paintNote(theme, note), note.text, cells));
  while (rows.length < height) rows.push(' '.repeat(cells));
  return rows;
}

/** Draws the heading of a column and the rule below it. These columns never have the focus. */
function withHeading(
  { runModel, theme, pulse }: PageScene,
  stream: CallStream,
  cells: number,
): string[] {
  const { model } = splitSpec(stream.model);
  const index = runModel.columns.findIndex((column) => column.stream === stream);
  const colourText = (text: string): string =>
    theme.role(runModel.columns[index]?.seat.colour, index < 0 ? 7 : index, text);
  const heading = {
    name: speakerOf(runModel, stream),
    model: joinLines(model),
    state: formatState(stream, pulse),
    stream,
  };
  const room = cells - 2;
  return [` ${headingLine(heading, colourText, theme, room)} `, ` ${theme.rule(room, false)} `];
}

function speakerOf(runModel: RunModel, stream: CallStream): string {
  return joinLines(runModel.nameOf(stream.seat));
}
