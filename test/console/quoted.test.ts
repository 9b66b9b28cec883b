/** Finding a quoted passage in a text that is laid out. */
import { expect, test } from 'vitest';
import { findQuotedRows } from '../../src/console/ui/quoted.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';

function layOutText(markdown: string, width = 20): ColumnBuffer {
  const text = new ColumnBuffer(width);
  text.push(markdown);
  text.end();
  return text;
}

test('findQuotedRows finds a passage across line breaks and Markdown', () => {
  const text = layOutText('First of all.\n\nThree teams **wait for one** pipeline, `every` week.');
  expect(findQuotedRows(text, 'First of all')).toEqual({ from: 0, to: 0 });
  expect(findQuotedRows(text, 'teams wait for one pipeline, every')).toEqual({ from: 2, to: 3 });
});

test('findQuotedRows returns undefined for a passage that is not in the text or has no letters', () => {
  const text = layOutText('Three teams wait.');
  expect(findQuotedRows(text, 'four teams wait')).toBeUndefined();
  expect(findQuotedRows(text, '… “”')).toBeUndefined();
  expect(findQuotedRows(layOutText(''), 'anything')).toBeUndefined();
});
