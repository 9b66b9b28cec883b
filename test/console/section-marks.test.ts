/** What is marked where two texts stand next to each other: everywhere, not in the recommendation alone. */
import { expect, test } from 'vitest';
import { SectionMarks, type TextDifferences } from '../../src/console/run/tabs/section-marks.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { type Row, rowText } from '../../src/text/rows/row.ts';

function rowsOf(markdown: string, width = 60): readonly Row[] {
  const buffer = new ColumnBuffer(width);
  buffer.push(markdown);
  buffer.end();
  return buffer.slice(0, buffer.length);
}

function listMarkedWords(rows: readonly Row[], marks: TextDifferences['left']): string[] {
  return [...marks].flatMap(([at, own]) =>
    rowText(rows[at] ?? [])
      .split(/\s+/)
      .filter((word) => word !== '')
      .filter((_word, index) => own[index]),
  );
}

function compareTexts(
  left: string,
  right: string,
  width?: number,
): [string[], string[], TextDifferences['likeness']] {
  const [a, b] = [rowsOf(left, width), rowsOf(right, width)];
  const marks = new SectionMarks().of(a, b);
  return [listMarkedWords(a, marks.left), listMarkedWords(b, marks.right), marks.likeness];
}

const FIRST =
  '## Consensus\n\nAll three fear the shared ledger.\n\n## Recommendation\n\nBegin with billing this quarter, in one team.';
const SECOND =
  '## Consensus\n\nAll three fear the shared database.\n\n## Recommendation\n\nBegin with billing next quarter, in one team.';

test('when two texts are compared, words are marked that the same section of the other text lacks', () => {
  expect(compareTexts(FIRST, SECOND)).toEqual([
    ['ledger.', 'this'],
    ['database.', 'next'],
    'marked',
  ]);
});

test('when two texts are compared, their marks depend neither on the width nor on the order of sections', () => {
  const turned = SECOND.split(/\n\n(?=## R)/)
    .toReversed()
    .join('\n\n');
  expect(compareTexts(FIRST, turned, 17)).toEqual([
    ['ledger.', 'this'],
    ['database.', 'next'],
    'marked',
  ]);
});

test('when two texts are compared, the heading of a section is marked if the other text lacks the section', () => {
  const more = `${FIRST}\n\n## Points of Divergence\n\nOne wants two at once.`;
  expect(compareTexts(FIRST, more)).toEqual([[], ['Points', 'of', 'Divergence'], 'marked']);
  expect(compareTexts(FIRST, FIRST)).toEqual([[], [], 'same']);
  const twice = (last: string): string =>
    `${FIRST}\n\n## Risks\n\nNone.\n\n## Risks\n\nIt is ${last}.`;
  expect(compareTexts(twice('late'), twice('dear'))).toEqual([['late.'], ['dear.'], 'marked']);
});

test('when sections of the same name have almost no words in common, none of their words are marked', () => {
  const other = FIRST.replace(/All three.*/, 'Nobody wants to wait until next year for anything.');
  expect(compareTexts(FIRST, other)).toEqual([[], [], 'unlike']);
  expect(compareTexts(FIRST, 'I would begin with billing.')).toEqual([[], [], 'unlike']);
});

test('when only one text has words before its first heading, the texts are not the same and the words are marked', () => {
  expect(compareTexts(`Wait a year.\n\n${FIRST}`, FIRST)).toEqual([
    ['Wait', 'a', 'year.'],
    [],
    'marked',
  ]);
});
