/** Draws the headings of columns: seat, model and state. */
import { shownModel } from '../../../kernel/providers/spec.ts';
import { joinLines } from '../../../text/line.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import { keyOf } from '../../keys/key-lookup.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { formatCountdown } from '../../model/notes.ts';
import type { Column } from '../../model/run-model.ts';
import { formatState, getSign } from '../../model/states.ts';
import { GAP, type Layout } from '../../terminal/layout.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Scene } from '../scene.ts';

/**
 * Draws the headings of the columns with a rule below. In narrow columns, the model has a row of
 * its own.
 */
export function headerRows(scene: Scene, layout: Layout): string[] {
  const { runModel, viewer, theme, pulse, columns } = scene;
  const { focused, question } = viewer.reading;
  const shown = runModel.columnsOf(question).slice(layout.first, layout.first + layout.shown);
  const heads = shown.map((column, index) => {
    const last = index === shown.length - 1;
    const cells = last ? columns - index * (layout.cell + GAP.length) : layout.cell;
    const { stream, seat } = column;
    const focus = focused?.stream === stream;
    const colourText = (text: string): string =>
      theme.role(seat.colour, layout.first + index, text);
    const name = headingOf(column);
    const model = modelOf(column);
    const state = addCountdown(
      formatState(stream, pulse),
      runModel.leftOf(column, question, pulse),
    );
    const room = cells - 2;
    const alone = layout.header === 3;
    return [
      headingLine({ name, model: alone ? '' : model, state, stream }, colourText, theme, room),
      ...(alone ? [theme.dim(padEnd(truncateLine(model, room), room))] : []),
      focus ? colourText(theme.rule(room, true)) : theme.rule(room, false),
    ];
  });
  return Array.from({ length: layout.header }, (_, line) =>
    heads.map((head) => ` ${head[line] ?? ''} `).join(GAP),
  );
}

interface Heading {
  readonly name: string;
  /** Empty if the model has its own row. */
  readonly model: string;
  readonly state: string;
  readonly stream: CallStream;
}

/**
 * Formats a column's heading in `cells` cells: `Advocate  qwen3:8b      ▮ ~48 t/s`. If there is too
 * little room, first the model is cut, then the state (at most to half of the cells), then the name.
 *
 * @param colour adds the seat's color
 */
export function headingLine(
  { name, model, state, stream }: Heading,
  colour: (text: string) => string,
  theme: Theme,
  cells: number,
): string {
  const end = truncateLine(state, Math.max(cells >> 1, cells - textWidth(name) - 2));
  const shortName = truncateLine(name, Math.max(0, cells - textWidth(end) - 1));
  const room = cells - textWidth(shortName) - textWidth(end) - 4;
  const by = room < 4 || model === '' ? '' : `  ${truncateLine(model, room)}`;
  const gap = ' '.repeat(Math.max(0, cells - textWidth(shortName + by) - textWidth(end)));
  return `${theme.bold(colour(shortName))}${theme.dim(by)}${gap}${toneState(theme, stream, end)}`;
}

function toneState(theme: Theme, { phase, running }: CallStream, text: string): string {
  if (running) return theme.tone('green', text);
  if (phase.kind === 'failed' || phase.kind === 'lost') return theme.tone('red', text);
  return phase.kind === 'stopped' ? theme.tone('yellow', text) : theme.dim(text);
}

/**
 * Draws the row that lists the seats, as many as fit, if not all have a column: `‹ 2-3 of 6 › [Critic ▮] …`.
 * If no seat has a column, the row says how to read them, if there is room: `Advocate ✓ … Tab reads them`.
 */
export function stripRow({ runModel, viewer, theme, columns }: Scene, layout: Layout): string {
  const { first, shown } = layout;
  const all = runModel.columnsOf(viewer.reading.question);
  const seats = all.map((column, index) => {
    const item = `${headingOf(column)} ${getSign(column.stream)}`;
    return shown > 0 && index >= first && index < first + shown ? `[${item}]` : ` ${item} `;
  });
  const range = shown === 1 ? `${first + 1}` : `${first + 1}-${first + shown}`;
  const place = shown === 0 ? '' : ` ‹ ${range} of ${all.length} › `;
  // If the row of seats is too long, leave out seats at its beginning until there is room for those whose columns
  // are shown.
  const named = shown === 0 ? 0 : first + shown;
  let from = 0;
  const formatSeats = (): string =>
    `${place}${from > 0 ? '… ' : ''}${seats.slice(from, named).join(' ')}`;
  while (from < first && textWidth(formatSeats()) > columns) from += 1;
  const line = `${place}${from > 0 ? '… ' : ''}${seats.slice(from).join(' ')}`;
  // Name the key that leads to the hidden seats, if there is room.
  const key = keyOf(viewer.around.keymap, 'next-pane');
  const folded = shown === 0 || viewer.reading.alone;
  const next = folded ? `${key} reads them ` : `${key} next column `;
  const room = columns - textWidth(next) - 2;
  const row = textWidth(line) <= room ? padEnd(line, room + 2) + next : truncateLine(line, columns);
  return theme.dim(padEnd(row, columns));
}

/** Formats `42s left · ▮ 48 t/s`. The speed is last, so that it is cut first. */
function addCountdown(state: string, left: number | undefined): string {
  return left === undefined ? state : `${formatCountdown(left)} left · ${state}`;
}

function headingOf({ name, subject }: Column): string {
  return joinLines(subject ?? name);
}

function modelOf({ seat, stream }: Column): string {
  return joinLines(shownModel(stream.model || seat.model));
}
