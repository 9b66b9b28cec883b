/**
 * Divides the screen. Pure arithmetic: the result depends only on size, panel and focus, so nothing moves when
 * output arrives.
 */

/** The smallest width of a column in cells. If there is less room, fewer columns are shown. */
export const LEAST_COLUMN = 28;
/** From this width on, a column's name, model and state share one line. */
const ONE_LINE_HEADER = 36;
/** If the columns are higher than this, the synthesis is shown below them while they are read. */
const ROOM_FOR_BOTH = 24;
/** The text between two columns. */
export const GAP = ' ';
/** Rows of a heading and its rule. */
const HEADED = 2;
/** The greatest width of a text in cells; wider lines are hard to read. */
export const READING_WIDTH = 100;
/** The smallest terminal on which a screen is drawn; a smaller one only says that it is too small. */
export const LEAST_SCREEN = { columns: 40, rows: 10 } as const;
/** The height of the row of tabs, which is subtracted before the rest is divided. */
const TABS = 1;

/** The size of a terminal or of a part of it, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What has to be shown on the screen of a run, from which its layout is computed. */
export interface LayoutDemand {
  /** The width of the screen in cells. */
  readonly columns: number;
  /** The height of the screen in rows, without the row of tabs. */
  readonly rows: number;
  /** How many columns of seats there are. */
  readonly seats: number;
  /** The index of the column with the focus. */
  readonly seat: number;
  /** Whether the synthesis has the focus. */
  readonly onSynthesis: boolean;
  /** Whether the text with the focus fills the whole screen. */
  readonly zoomed: boolean;
  /** `none`: there is no synthesis; `writing`: one is being written and none is finished; otherwise `written`. */
  readonly synthesis: 'none' | 'writing' | 'written';
  /** How many lines are between the heading of the synthesis and its text. */
  readonly remarks: number;
  /**
   * How many rows to show above the synthesis: its question, its recommendation and the lines beside
   * it, such as the vote. 0 if there is no recommendation.
   */
  readonly lead: number;
  /**
   * How many of the `lead` rows are lines such as the vote. If there is no room above the synthesis,
   * these lines move between its heading and its text.
   */
  readonly beside: number;
}

/** The division of the screen of a run. Sizes are cells and rows. */
export interface Layout {
  /** The width of the screen. */
  readonly columns: number;
  /** The height of the screen, without the row of tabs. */
  readonly rows: number;
  /** The index of the first visible column. */
  readonly first: number;
  /** How many columns are visible. */
  readonly shown: number;
  /** The width of a column; the last may be a few cells wider. */
  readonly cell: number;
  /** Whether a row lists all seats, because not all have a visible column. */
  readonly strip: boolean;
  /** How many rows the headings of the columns have, with the rule. */
  readonly header: 0 | 2 | 3;
  /** How many rows the text of a column has. */
  readonly body: number;
  /** How many rows show the recommendation above the synthesis, with a blank row below; 0: it is not shown. */
  readonly lead: number;
  /** How many rows the synthesis has, with its heading, rule and remarks. */
  readonly synthesis: number;
  /** How many lines are shown between the heading and the text of the synthesis. */
  readonly remarks: number;
  /** How many rows the text of the synthesis has. */
  readonly synthesisBody: number;
  /** The width of a line in a column. */
  readonly columnText: number;
  /** The width of a line in the synthesis. */
  readonly synthesisText: number;
}

/** Computes how the screen of a run is divided. Returns undefined if the terminal is too small. */
export function layoutOf(demand: LayoutDemand): Layout | undefined {
  const { columns, rows, seats, seat, onSynthesis, zoomed, synthesis } = demand;
  if (columns < LEAST_SCREEN.columns || rows < LEAST_SCREEN.rows - TABS) return undefined;
  const room = Math.max(1, Math.floor((columns + 1) / (LEAST_COLUMN + 1)));
  // Show no columns if the synthesis has the focus and is finished or zoomed.
  const folded = onSynthesis && (synthesis === 'written' || (zoomed && synthesis !== 'none'));
  const across = zoomed ? 1 : Math.min(seats, room);
  const shown = folded ? 0 : across;
  // Show the columns around the seat with the focus.
  const first = Math.max(0, Math.min(seat - Math.floor((shown - 1) / 2), seats - shown));
  // Give hidden columns the width that they would have, so that their text need not be wrapped again when
  // they are shown.
  const cell = across === 0 ? columns : Math.floor((columns - (across - 1) * GAP.length) / across);
  const strip = shown < seats && !(folded && zoomed);
  const header = shown === 0 ? 0 : cell >= ONE_LINE_HEADER || rows < 16 ? 2 : 3;
  // There is one row for the title above, and two below for the status and the keys.
  const free = rows - 3 - (strip ? 1 : 0) - header;
  // On a low screen, leave out the rows above the synthesis, such as its recommendation, in favor of its text.
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
  synthesis: LayoutDemand['synthesis'],
  zoomed: boolean,
  onSynthesis: boolean,
  free: number,
): number {
  if (zoomed || synthesis === 'none') return 0;
  if (synthesis === 'written' && free < ROOM_FOR_BOTH) return 1;
  const share = onSynthesis ? 0.6 : 0.4;
  const rows = Math.max(HEADED + 1, Math.min(free - 3, Math.round(free * share)));
  // On a very low screen, even the smallest synthesis takes all rows. If the columns have the focus, show one row of
  // the synthesis and leave all further rows to the columns.
  return onSynthesis || rows < free ? rows : 1;
}
