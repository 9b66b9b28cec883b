/**
 * How the screen is divided. Pure arithmetic: the same size, panel and focus give the same division,
 * and nothing in it moves because somebody says something.
 */

/** Cells a column needs to be read at all; with less, fewer are shown at a time. */
export const LEAST_COLUMN = 28;
/** From this width on, a column's name, model and state stand in one line. */
const ONE_LINE_HEADER = 44;
/** The widest lines that are read without losing the next one. */
const READING_WIDTH = 100;
export const LEAST_SCREEN = { columns: 40, rows: 10 } as const;
/** The row that names the tabs, where there are some, is taken off before the rest is divided. */
const TABS = 1;

/** Of a terminal, or of a part of it: in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Demand {
  readonly columns: number;
  readonly rows: number;
  readonly seats: number;
  /** The seat that has the focus, or had it before the synthesis. */
  readonly seat: number;
  readonly onSynthesis: boolean;
  readonly zoomed: boolean;
  readonly synthesis: 'none' | 'writing' | 'written';
  /** Lines between the synthesis' heading and its text. */
  readonly remarks: number;
}

export interface Layout {
  readonly columns: number;
  readonly rows: number;
  /** Seats side by side: the first, how many, and each one's cells (the last may have a few more). */
  readonly first: number;
  readonly shown: number;
  readonly cell: number;
  /** A line that names all seats, where not all have a column. */
  readonly strip: boolean;
  readonly header: 0 | 1 | 2;
  /** Rows of the columns' text. */
  readonly body: number;
  /** Rows of the synthesis: its heading and remarks included. */
  readonly synthesis: number;
  /** Of the lines between heading and text, how many are shown. */
  readonly remarks: number;
  /** Rows of the synthesis' text. */
  readonly synthesisBody: number;
  /** Cells of a line of text. */
  readonly columnText: number;
  readonly synthesisText: number;
}

/** The division, or undefined where the terminal is too small for any. */
export function layoutOf(demand: Demand): Layout | undefined {
  const { columns, rows, seats, seat, onSynthesis, zoomed, synthesis } = demand;
  if (columns < LEAST_SCREEN.columns || rows < LEAST_SCREEN.rows - TABS) return undefined;
  const room = Math.max(1, Math.floor((columns + 1) / (LEAST_COLUMN + 1)));
  const shown = zoomed ? (onSynthesis ? 0 : 1) : Math.min(seats, room);
  // Centred on the seat, so that it stands between its neighbours.
  const first = Math.max(0, Math.min(seat - Math.floor((shown - 1) / 2), seats - shown));
  const cell = shown === 0 ? columns : Math.floor((columns - (shown - 1)) / shown);
  const strip = shown < seats;
  const header = shown === 0 ? 0 : cell >= ONE_LINE_HEADER || rows < 16 ? 1 : 2;
  // The title above; the status line and the keys below.
  const free = rows - 3 - (strip ? 1 : 0) - header;
  const lower = synthesisRows(synthesis, zoomed, onSynthesis, free);
  const remarks = Math.min(demand.remarks, Math.floor(lower / 3));
  return {
    columns,
    rows,
    first,
    shown,
    cell,
    strip,
    header,
    body: free - lower,
    synthesis: lower,
    remarks,
    synthesisBody: Math.max(0, lower - 1 - remarks),
    columnText: Math.min(READING_WIDTH, cell - 2),
    synthesisText: Math.min(READING_WIDTH, columns - 2),
  };
}

function synthesisRows(
  synthesis: Demand['synthesis'],
  zoomed: boolean,
  onSynthesis: boolean,
  free: number,
): number {
  if (zoomed) return onSynthesis ? free : 0;
  if (synthesis === 'none') return 0;
  const share = synthesis === 'writing' ? 0.4 : 0.5;
  return Math.max(3, Math.min(free - 3, Math.round(free * share)));
}
