/** The tests that a person let run, for `show` and the report: what was run, what came of it. */
import type { RoundsView } from '../fold.ts';
import { formatEvidencePage } from '../records/executed-test.ts';

/** Lines of a test's page that are shown here; all of it stands in the records. */
const SHOWN = 60;

/** Returns the report's section on tests of claims. The list is empty if no test was run. */
export function testSections({ rounds }: RoundsView): string[] {
  const tests = rounds.flatMap(({ evidence = [] }) => evidence);
  if (tests.length === 0) return [];
  return ['## Tests that were run', ...tests.map((test) => nest(formatEvidencePage(test)))];
}

/** Headings two levels down, a long output cut, and its fence closed again. */
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
