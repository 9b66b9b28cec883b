/** The tests of claims by commands, for `show` and the report. */
import { type Block, makeSection, type Section } from '../../../plain/blocks.ts';
import type { RoundsView } from '../claims/rounds-view.ts';
import { formatEvidencePage } from '../records/executed-test.ts';

/** The most lines of a test's page that are shown. The records have the whole page. */
const SHOWN = 60;

/** Returns the report's section on tests of claims. It is empty if no test was run. */
export function testSection({ rounds }: RoundsView): Section {
  const tests = rounds.flatMap(({ evidence = [] }) => evidence);
  return makeSection(
    'Tests that were run',
    ...tests.map((test): Block => ({ kind: 'said', text: shortenPage(formatEvidencePage(test)) })),
  );
}

/** Shortens a page within the code block of a long output. */
function shortenPage(page: string): string {
  const lines = page.trimEnd().split('\n');
  const shown: string[] = [];
  let fence = '';
  for (const line of lines.slice(0, SHOWN)) {
    const mark = /^`{3,}$/.exec(line)?.[0];
    if (mark !== undefined && (fence === '' || mark === fence)) fence = fence === '' ? mark : '';
    shown.push(line);
  }
  if (lines.length <= SHOWN) return shown.join('\n');
  if (fence !== '') shown.push(fence);
  return [...shown, '', `${lines.length - SHOWN} more lines in the records.`].join('\n');
}
