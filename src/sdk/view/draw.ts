/** Draws figures as rows of text, the same in the console and, as a code block, in a report. */
import { padEnd, textWidth, truncateLine } from '../../text/width.ts';
import type { Figure } from '../figure.ts';

type Kind<K extends Figure['kind']> = Extract<Figure, { kind: K }>;

/**
 * Draws a figure as rows of at most `cells` terminal cells, or more if the values leave too little room for
 * the shortest bar. The figure can be read without color, since each value is written beside its bar.
 */
export function drawFigure(figure: Kind<'bars'> | Kind<'ranges'>, cells: number): string[] {
  return figure.kind === 'bars' ? drawBars(figure, cells) : drawRanges(figure, cells);
}

/** The largest part of a row that labels may take. */
const LABEL_SHARE = 0.4;

function labelCells(labels: readonly string[], cells: number): number {
  return Math.min(Math.floor(cells * LABEL_SHARE), Math.max(...labels.map(textWidth), 0));
}

function drawBars({ rows, unit = '', whole }: Kind<'bars'>, cells: number): string[] {
  const texts = rows.map(({ value, text }) => text ?? `${shortNumber(value)}${unitOf(unit)}`);
  const label = labelCells(
    rows.map((row) => row.label),
    cells,
  );
  const beside = Math.max(...texts.map(textWidth), 0);
  const room = Math.max(4, cells - label - beside - 2);
  const most = whole ?? Math.max(...rows.map(({ value }) => Math.abs(value)), 0);
  return rows.map(({ label: name, value }, index) => {
    const share = most === 0 ? 0 : Math.min(1, Math.abs(value) / most);
    const bar = '█'.repeat(Math.round(share * room));
    return `${padEnd(truncateLine(name, label), label)} ${padEnd(bar, room)} ${texts[index]}`.trimEnd();
  });
}

/**
 * Draws ranges as `|--[==|==]----|`: low, quartiles around the middle if any, high; all rows share one
 * axis.
 */
function drawRanges({ rows, unit = '', scale }: Kind<'ranges'>, cells: number): string[] {
  if (rows.length === 0) return [];
  const texts = rows.map(
    ({ low, mid, high }) =>
      `${shortNumber(mid)} (${shortNumber(low)} to ${shortNumber(high)})${unitOf(unit)}`,
  );
  const label = labelCells(
    rows.map((row) => row.label),
    cells,
  );
  const beside = Math.max(...texts.map(textWidth));
  const room = Math.max(8, cells - label - beside - 2);
  const at = axisOf(rows, scale, room);
  const drawn = rows.map((row, index) => {
    const line = Array.from({ length: room }, () => ' ');
    const fillCells = (from: number, to: number, sign: string): void => {
      for (let cell = at(from); cell <= at(to); cell += 1) line[cell] = sign;
    };
    fillCells(row.low, row.high, '-');
    if (row.quarters !== undefined) {
      fillCells(row.quarters[0], row.quarters[1], '=');
      line[at(row.quarters[0])] = '[';
      line[at(row.quarters[1])] = ']';
    }
    line[at(row.low)] = '|';
    line[at(row.high)] = '|';
    line[at(row.mid)] = row.quarters === undefined ? 'o' : '|';
    return `${padEnd(truncateLine(row.label, label), label)} ${padEnd(line.join(''), room)} ${texts[index]}`.trimEnd();
  });
  return drawn;
}

function axisOf(
  rows: Kind<'ranges'>['rows'],
  scale: 'linear' | 'log',
  room: number,
): (value: number) => number {
  const toScale = (value: number): number =>
    scale === 'log' && value > 0 ? Math.log10(value) : value;
  const low = Math.min(...rows.map((row) => toScale(row.low)));
  const high = Math.max(...rows.map((row) => toScale(row.high)));
  return (value) =>
    high === low
      ? Math.floor(room / 2)
      : Math.max(
          0,
          Math.min(room - 1, Math.round(((toScale(value) - low) / (high - low)) * (room - 1))),
        );
}

function unitOf(unit: string): string {
  return unit === '' || unit === '%' ? unit : ` ${unit}`;
}

/** Formats a number with four significant digits: `0.1235`, `1.235e+7`. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
