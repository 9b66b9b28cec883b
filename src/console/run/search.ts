/** Searches in the output of all panes, in their order. */
import { getAnswerRow, type Pane } from './panes.ts';

/** A row on which a match of a search begins. */
export interface Match {
  /** The index of the pane. */
  readonly pane: number;
  /** The index of the row in the pane, thinking included. */
  readonly row: number;
}

/** A search in all panes of the tab Columns. */
export interface Search {
  readonly query: string;
  /** How many rows match. */
  readonly count: number;
  /** The number of the shown match, from 1; 0 if none is shown. */
  readonly at: number;
  readonly match?: Match;
  /** Whether the search has just gone from the last match to the first, or from the first to the last. */
  readonly wrapped?: boolean;
}

/**
 * Returns every row on which a match of the query begins, ignoring case, in the order of the panes. Folded
 * thinking is not searched.
 */
export function findMatches(panes: readonly Pane[], query: string): Match[] {
  return panes.flatMap(({ stream }, pane) => {
    const preface = getAnswerRow(stream);
    const rows = [
      ...stream.thinking.find(query),
      ...stream.text.find(query).map((row) => preface + row),
    ];
    return rows.map((row) => ({ pane, row }));
  });
}

/**
 * Returns the next match after (`by` 1) or before (`by` -1) the row `from`. At either end the search goes on
 * at the other one, and `wrapped` is then true. Returns undefined if there is no match at all.
 *
 * @param matches all matches, in order
 */
export function matchAfter(
  matches: readonly Match[],
  from: Match,
  by: 1 | -1,
): { at: number; match: Match; wrapped: boolean } | undefined {
  const found =
    by === 1
      ? matches.findIndex((match) => compareMatches(match, from) > 0)
      : matches.findLastIndex((match) => compareMatches(match, from) < 0);
  const index = found >= 0 ? found : by === 1 ? 0 : matches.length - 1;
  const match = matches[index];
  return match === undefined ? undefined : { at: index + 1, match, wrapped: found < 0 };
}

function compareMatches(a: Match, b: Match): number {
  return a.pane - b.pane || a.row - b.row;
}
