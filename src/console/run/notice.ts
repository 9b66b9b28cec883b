/** What a person was told last, in the rows above the keys. */
import { wrapPlain } from '../../text/wrap.ts';
import { cleanLine } from '../terminal/door.ts';
import type { Theme } from '../terminal/theme.ts';

/** The most rows that it takes; errors with their next step are long. */
const MOST = 3;

/** One row at least, blank where nothing was said. */
export function noticeRows(
  notice: { readonly text: string; readonly bad: boolean } | undefined,
  theme: Theme,
  columns: number,
): string[] {
  if (notice === undefined) return [''];
  const rows = wrapPlain(cleanLine(notice.text), columns - 2).slice(0, MOST);
  return rows.map((row) => ` ${theme.tone(notice.bad ? 'red' : 'yellow', row)}`);
}
