/**
 * Divides the screen. Pure arithmetic: the result depends only on size, panel and focus, so nothing moves when
 * output arrives.
 */

/** The least width of a column in cells; if there is less room, fewer columns are shown. */
export const LEAST_COLUMN = 28;
/** From this width on, a column's name, model and state share one line. */
const ONE_LINE_HEADER = 36;
/** If the columns are higher than this, the synthesis is shown below them while they are read. */
const ROOM_FOR_BOTH = 24;
/** The separator between two columns, which have a blank on either side of it. */
export const GAP = ' ';
/** Rows of a heading and its rule. */
const HEADED = 2;
/** The widest line that is comfortable to read. */
export const READING_WIDTH = 100;
export const LEAST_SCREEN = { columns: 40, rows: 10 } as const;
/** The height of the row of tabs, which is subtracted before the rest is divided. */
const TABS = 1;

/** The size of a terminal, or of a part of it, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Demand {
  readonly columns: number;
  readonly rows: number;
  readonly seats: number;
  /** The index of the seat that has the focus, or had it before the synthesis. */
  readonly seat: number;
  readonly onSynthesis: boolean;
  readonly zoomed: boolean;
  readonly synthesis: 'none' | 'writing' | 'written';
  /** Lines between the synthesis' heading and its text. */
  readonly remarks: number;
  /** Rows that show the recommendation above the synthesis while it is read. */
  readonly lead: number;
  /** How many of these lines are shown as remarks instead, if there is no room for them. */
  readonly beside: number;
}

export interface Layout {
  readonly columns: number;
  readonly rows: number;
  /**
   * The seats side by side: the first one, how many, and the width of each (the last may have a few cells
   * more).
   */
  readonly first: number;
  readonly shown: number;
  readonly cell: number;
  /**
   * Whether a line names all seats because not all have a column: above the columns, or below the synthesis.
   */
  readonly strip: boolean;
  /** Rows above the columns, including the rule. */
  readonly header: 0 | 2 | 3;
  /** Rows of the columns' text. */
  readonly body: number;
  /** Rows of the recommendation, with the blank row below. */
  readonly lead: number;
  /** Rows of the synthesis, including heading, rule and remarks. */
  readonly synthesis: number;
  /** How many of the lines between heading and text are shown. */
  readonly remarks: number;
  /** Rows of the synthesis' text. */
  readonly synthesisBody: number;
  /** The width of a line of text. */
  readonly columnText: number;
  readonly synthesisText: number;
}

/** Returns the division; undefined if the terminal is too small. */
export function layoutOf(demand: Demand): Layout | undefined {
  const { columns, rows, seats, seat, onSynthesis, zoomed, synthesis } = demand;
  if (columns < LEAST_SCREEN.columns || rows < LEAST_SCREEN.rows - TABS) return undefined;
  const room = Math.max(1, Math.floor((columns + 1) / (LEAST_COLUMN + 1)));
  // A synthesis is read alone, with its columns as a strip below it.
  const folded = onSynthesis && (synthesis === 'written' || (zoomed && synthesis !== 'none'));
  const across = zoomed ? 1 : Math.min(seats, room);
  const shown = folded ? 0 : across;
  // Center the columns on the seat, so that it is shown with its neighbors.
  const first = Math.max(0, Math.min(seat - Math.floor((shown - 1) / 2), seats - shown));
  // Hidden columns keep their width, so that nothing has to be laid out again when they are opened.
  const cell = across === 0 ? columns : Math.floor((columns - (across - 1) * GAP.length) / across);
  const strip = shown < seats && !(folded && zoomed);
  const header = shown === 0 ? 0 : cell >= ONE_LINE_HEADER || rows < 16 ? 2 : 3;
  // One row for the title above, two for the status and the keys below.
  const free = rows - 3 - (strip ? 1 : 0) - header;
  // On low screens the synthesis' text is more important than the lines above it.
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

/** Returns the rows of the synthesis below columns. */
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
  // The lowest screens have room for only one of the two.
  return onSynthesis || rows < free ? rows : 1;
}
