/**
 * The Run screen before there is a run: what the command line says and nothing else, in the rows where
 * the run's own will stand. Who sits there, and what the keys are, is in files that nobody has read yet.
 */
import { line } from '../../text/line.ts';
import { truncate } from '../../text/width.ts';
import type { Size } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
import { titleLine } from './sections/title.ts';

export const NOT_BEGUN = 'The run is about to begin.';

interface Announced {
  readonly protocol: string;
  readonly question: string;
  /** The stand-in will sit at the table. */
  readonly rehearsal: boolean;
  /** What goes on meanwhile. */
  readonly told?: string | undefined;
}

export function firstRunRows(run: Announced, theme: Theme, { columns, rows }: Size): string[] {
  const about = [run.protocol, line(run.question)];
  const state = { text: '', tone: 'green' } as const;
  const badge = run.rehearsal ? 'REHEARSAL' : '';
  return [
    titleLine({ about, badge, state, figures: [] }, theme, columns),
    ...Array.from({ length: rows - 3 }, () => ''),
    ` ${theme.dim(truncate(line(run.told ?? NOT_BEGUN), columns - 2))}`,
    '',
  ];
}
