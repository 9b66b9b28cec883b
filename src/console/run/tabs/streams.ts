/** The calls of a phase side by side, each in a column of its own, following what is said. */
import { splitSpec } from '../../../kernel/model.ts';
import { padEnd, textWidth, truncate } from '../../../text/width.ts';
import { notesOf } from '../../model/notes.ts';
import type { RunModel } from '../../model/run-model.ts';
import { stateOf } from '../../model/states.ts';
import type { Voice } from '../../model/voice.ts';
import { cleanLine } from '../../terminal/door.ts';
import { LEAST_COLUMN } from '../../terminal/layout.ts';
import { fill } from '../../terminal/paint.ts';
import { FOLLOW, windowOf } from '../../ui/scroll.ts';
import { paintNote } from '../bands/body.ts';
import type { Look } from '../look.ts';

/** A band of columns lower than this is not read. */
const LEAST_BAND = 8;

/** `height` rows of `cells`: a bar a column, and what it says below. */
export function streamRows(
  scene: Look,
  voices: readonly Voice[],
  cells: number,
  height: number,
): string[] {
  const abreast = Math.max(1, Math.floor((cells + 1) / (LEAST_COLUMN + 1)));
  const most = Math.max(1, Math.floor(height / LEAST_BAND));
  const bands = Math.min(most, Math.ceil(voices.length / abreast));
  // Where not all have a column, those who still speak come first.
  const shown = (
    voices.length <= bands * abreast
      ? voices
      : [...voices].sort((a, b) => Number(b.running) - Number(a.running))
  ).slice(0, bands * abreast);
  const hidden = voices.length - shown.length;
  const free = height - (hidden > 0 ? 1 : 0);
  const each = Math.ceil(shown.length / bands);
  const rows = Array.from({ length: bands }, (_, band) =>
    bandRows(
      scene,
      shown.slice(band * each, (band + 1) * each),
      cells,
      band === bands - 1 ? free - band * Math.floor(free / bands) : Math.floor(free / bands),
    ),
  ).flat();
  if (hidden > 0)
    rows.push(scene.theme.dim(padEnd(` ${hidden} more: no room for a column`, cells)));
  return rows;
}

function bandRows(scene: Look, voices: readonly Voice[], cells: number, height: number): string[] {
  const each = Math.floor((cells - (voices.length - 1)) / voices.length);
  const columns = voices.map((voice, index) => {
    const last = index === voices.length - 1;
    return columnRows(scene, voice, last ? cells - index * (each + 1) : each, height);
  });
  return Array.from({ length: height }, (_, row) =>
    columns.map((column) => column[row] ?? '').join(row === 0 ? ' ' : '|'),
  );
}

function columnRows(scene: Look, voice: Voice, cells: number, height: number): string[] {
  const { painter, theme, now } = scene;
  voice.text.resize(cells - 2);
  const notes = notesOf(voice, cells - 2, now);
  const said = voice.text.length;
  const window = windowOf(FOLLOW, said + notes.length, height - 1, voice.running);
  const end = window.top + window.rows;
  const rows = [bar(scene, voice, cells)];
  for (const row of voice.text.slice(Math.min(window.top, said), Math.min(end, said)))
    rows.push(painter.cell(row, cells));
  if (end > said)
    for (const note of notes.slice(Math.max(0, window.top - said), end - said))
      rows.push(fill(paintNote(theme, note), note.text, cells));
  while (rows.length < height) rows.push(' '.repeat(cells));
  return rows;
}

function bar({ desk, theme, pulse }: Look, voice: Voice, cells: number): string {
  const state = truncate(stateOf(voice, pulse), cells >> 1);
  const { model } = splitSpec(voice.model);
  const room = cells - textWidth(state) - 2;
  const name = speakerOf(desk, voice).toUpperCase();
  const text = `${padEnd(truncate(` ${name}  ${cleanLine(model)}`, room), room)} ${state} `;
  const index = desk.columns.findIndex((one) => one.voice === voice);
  return theme.bar(desk.columns[index]?.seat.colour, index < 0 ? 7 : index, text);
}

function speakerOf(desk: RunModel, voice: Voice): string {
  return cleanLine(desk.nameOf(voice.seat));
}
