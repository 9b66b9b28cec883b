/** The bars above the columns: who, by which model, doing what. */
import { splitSpec } from '../../../kernel/model.ts';
import { padEnd, textWidth, truncate } from '../../../text/width.ts';
import { keyOf } from '../../keys/bindings.ts';
import { countdown } from '../../model/notes.ts';
import type { Column } from '../../model/run-model.ts';
import { signOf, stateOf } from '../../model/states.ts';
import { cleanLine } from '../../terminal/door.ts';
import type { Layout } from '../../terminal/layout.ts';
import type { Scene } from '../scene.ts';

/** One row, or two where columns are narrow: name and state above, the model below. */
export function headerRows(scene: Scene, layout: Layout): string[] {
  const { runModel, viewer, theme, pulse, columns } = scene;
  const { focused, question } = viewer.reading;
  const shown = runModel
    .columnsOf(viewer.reading.question)
    .slice(layout.first, layout.first + layout.shown);
  const lines = Array.from({ length: layout.header }, (_, line) =>
    shown.map((column, index) => {
      const last = index === shown.length - 1;
      const cells = last ? columns - index * (layout.cell + 1) : layout.cell;
      const focus = focused?.stream === column.stream;
      const state = hurried(
        stateOf(column.stream, pulse),
        runModel.leftOf(column, question, pulse),
      );
      const text =
        layout.header === 1
          ? oneLine(column, focus, state, cells)
          : line === 0
            ? sides(`${mark(focus)}${nameOf(column)}`, state, cells)
            : padEnd(`  ${truncate(modelOf(column), cells - 3)}`, cells);
      const bar = theme.bar(column.seat.colour, layout.first + index, text);
      return focus ? theme.bold(bar) : bar;
    }),
  );
  return lines.map((bars) => bars.join(' '));
}

/** All seats in one row, those with a column in brackets: `‹ 2-3 of 6 › … [CRITIC ▮] …`. */
export function stripRow({ runModel, viewer, theme, columns }: Scene, layout: Layout): string {
  const { first, shown } = layout;
  const all = runModel.columnsOf(viewer.reading.question);
  const count = all.length;
  const range =
    shown === 0 ? `${count} seats` : shown === 1 ? `${first + 1}` : `${first + 1}-${first + shown}`;
  const seats = all.map((column, index) => {
    const item = `${cleanLine(column.name)} ${signOf(column.stream)}`;
    return index >= first && index < first + shown ? `[${item}]` : ` ${item} `;
  });
  const lead = shown === 0 ? ` ${range}: ` : ` ‹ ${range} of ${count} › `;
  const line = lead + seats.join(' ');
  // How the ones that are not seen are reached, where there is room to say it.
  const next = `${keyOf(viewer.around.keymap, 'next-pane')} next column `;
  const room = columns - textWidth(next) - 2;
  const row = textWidth(line) <= room ? padEnd(line, room + 2) + next : truncate(line, columns);
  return theme.dim(padEnd(row, columns));
}

function oneLine(column: Column, focus: boolean, doing: string, cells: number): string {
  const name = `${mark(focus)}${nameOf(column)}`;
  const state = truncate(doing, Math.floor(cells * 0.6));
  const room = cells - textWidth(name) - textWidth(state) - 5;
  const model = room < 4 ? '' : `  ${truncate(modelOf(column), room)}`;
  return sides(name + model, state, cells);
}

/** `42s left · ▮ 48 t/s`: what is cut where there is no room is the speed. */
function hurried(state: string, left: number | undefined): string {
  return left === undefined ? state : `${countdown(left)} left · ${state}`;
}

/** One text at the left and one at the right; the right one gives way, the left one if it must. */
function sides(left: string, right: string, cells: number): string {
  const end = truncate(right, Math.max(cells >> 1, cells - textWidth(left) - 2));
  const room = Math.max(0, cells - textWidth(end) - 2);
  return `${padEnd(truncate(left, room), room)} ${end} `;
}

function mark(focus: boolean): string {
  return focus ? '> ' : '  ';
}

function nameOf({ name }: Column): string {
  return cleanLine(name).toUpperCase();
}

function modelOf({ seat, stream }: Column): string {
  const { provider, model } = splitSpec(stream.model || seat.model);
  return cleanLine(provider === 'rehearsal' ? 'rehearsal' : model);
}
