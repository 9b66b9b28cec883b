/**
 * How the screen is divided. Pure arithmetic: the same size, panel and focus give the same division,
 * and nothing in it moves because somebody says something.
 */

/** Cells a column needs to be read at all; with less, fewer are shown at a time. */
export const LEAST_COLUMN = 28;
/** From this width on, a column's name, model and state stand in one line. */
const ONE_LINE_HEADER = 36;
/** Where columns are higher than this, the synthesis is seen below them while they are read. */
const ROOM_FOR_BOTH = 24;
/** Between two columns: a blank after the one, this, and a blank before the other. */
export const GAP = ' ';
/** A heading and the rule under it. */
const HEADED = 2;
/** The widest lines that are read without losing the next one. */
export const READING_WIDTH = 100;
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
  /** Rows that say first what was come to, shown while the synthesis is read. */
  readonly lead: number;
  /** How many of them are said as remarks where they are not shown. */
  readonly beside: number;
}

export interface Layout {
  readonly columns: number;
  readonly rows: number;
  /** Seats side by side: the first, how many, and each one's cells (the last may have a few more). */
  readonly first: number;
  readonly shown: number;
  readonly cell: number;
  /** A line that names all seats, where not all have a column: above the columns, or below what is read. */
  readonly strip: boolean;
  /** Rows above the columns, the rule included. */
  readonly header: 0 | 2 | 3;
  /** Rows of the columns' text. */
  readonly body: number;
  /** Rows of what was come to, with the blank one below. */
  readonly lead: number;
  /** Rows of the synthesis: its heading, rule and remarks included. */
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
  // What a synthesis says is read alone; its columns are a strip below it.
  const folded = onSynthesis && (synthesis === 'written' || (zoomed && synthesis !== 'none'));
  const across = zoomed ? 1 : Math.min(seats, room);
  const shown = folded ? 0 : across;
  // Centred on the seat, so that it stands between its neighbours.
  const first = Math.max(0, Math.min(seat - Math.floor((shown - 1) / 2), seats - shown));
  // Folded columns keep their width: nothing is laid out anew when they are opened.
  const cell = across === 0 ? columns : Math.floor((columns - (across - 1) * GAP.length) / across);
  const strip = shown < seats && !(folded && zoomed);
  const header = shown === 0 ? 0 : cell >= ONE_LINE_HEADER || rows < 16 ? 2 : 3;
  // The title above; the status line and the keys below.
  const free = rows - 3 - (strip ? 1 : 0) - header;
  // Where the screen is low, reading on matters more.
  const lead = folded && !zoomed && demand.lead > 0 && free >= 10 ? demand.lead + 1 : 0;
  const lower = folded ? free - lead : synthesisRows(synthesis, zoomed, onSynthesis, free);
  const said = demand.remarks + (lead === 0 ? demand.beside : 0);
  const remarks = Math.min(said, Math.floor(lower / 3));
  return {
    columns,
    rows,
    first,
    shown,
    cell,
    strip,
    header,
    body: free - lead - lower,
    lead,
    synthesis: lower,
    remarks,
    synthesisBody: Math.max(0, lower - HEADED - remarks),
    columnText: Math.min(READING_WIDTH, cell - 2),
    synthesisText: Math.min(READING_WIDTH, columns - 2),
  };
}

/** Rows of the synthesis below columns. */
function synthesisRows(
  synthesis: Demand['synthesis'],
  zoomed: boolean,
  onSynthesis: boolean,
  free: number,
): number {
  if (zoomed || synthesis === 'none') return 0;
  if (synthesis === 'written' && free < ROOM_FOR_BOTH) return 1;
  const share = onSynthesis ? 0.6 : 0.4;
  const rows = Math.max(HEADED + 1, Math.min(free - 3, Math.round(free * share)));
  // On the lowest screens there is room for one of the two.
  return onSynthesis || rows < free ? rows : 1;
}
