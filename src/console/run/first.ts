/**
 * Draws the run's screen before the run exists, from the command line alone, in the rows that the run will use.
 * Seats and keys are not known yet, because no file has been read.
 */
import { toLine } from '../../text/line.ts';
import { truncateLine } from '../../text/width.ts';
import type { Size } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
import { titleLine } from './sections/title.ts';

/** The message while a run has not begun. */
export const NOT_BEGUN = 'The run is about to begin.';

/** What is known of a run from the command line. */
interface Announced {
  readonly protocol: string;
  readonly question: string;
  /** Whether the stand-in will answer. */
  readonly rehearsal: boolean;
  /** The latest message on standard error. */
  readonly told?: string | undefined;
}

/** Draws the first frame of a run's screen, before the rest of the program is loaded. */
export function firstRunRows(run: Announced, theme: Theme, { columns, rows }: Size): string[] {
  const about = [run.protocol, toLine(run.question)];
  const state = { text: '', tone: 'green' } as const;
  const badge = run.rehearsal ? 'REHEARSAL' : '';
  return [
    titleLine({ about, badge, state, figures: [] }, theme, columns),
    ...Array.from({ length: rows - 3 }, () => ''),
    ` ${theme.dim(truncateLine(toLine(run.told ?? NOT_BEGUN), columns - 2))}`,
    '',
  ];
}
