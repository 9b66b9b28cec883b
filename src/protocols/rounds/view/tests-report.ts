/** The tests of claims by commands, for `show` and the report. */

import type { RoundsView } from '../claims/rounds-view.ts';
import { formatEvidencePage } from '../records/executed-test.ts';

/** The most lines of a test's page that are shown. The records have the whole page. */
const SHOWN = 60;

/** Returns the report's section on tests of claims. The list is empty if no test was run. */
export function formatTestSections({ rounds }: RoundsView): string[] {
  const tests = rounds.flatMap(({ evidence = [] }) => evidence);
  if (tests.length === 0) return [];
  return ['## Tests that were run', ...tests.map((test) => nest(formatEvidencePage(test)))];
}

/** Moves headings two levels down, and shortens a long output within its code block. */
function nest(page: string): string {
  const lines = page.trimEnd().split('\n');
  const shown: string[] = [];
  let fence = '';
  for (const line of lines.slice(0, SHOWN)) {
    const mark = /^`{3,}$/.exec(line)?.[0];
    if (mark !== undefined && (fence === '' || mark === fence)) fence = fence === '' ? mark : '';
    shown.push(fence === '' && mark === undefined ? line.replace(/^(#{1,2}) /, '$1## ') : line);
  }
  if (lines.length <= SHOWN) return shown.join('\n');
  if (fence !== '') shown.push(fence);
  return [...shown, '', `${lines.length - SHOWN} more lines in the records.`].join('\n');
}
