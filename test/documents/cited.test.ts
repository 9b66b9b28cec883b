/** Documents with pages: how they are cited, quoted and stored in a folder of records. */
import { describe, expect, it } from 'vitest';
import { numberLines } from '../../src/protocols/common/prompts/fence.ts';
import { createResolver } from '../../src/protocols/rounds/records/anchors.ts';
import { findQuotation, getAllLines } from '../../src/protocols/rounds/records/documents.ts';
import { makeAttachmentFiles } from '../../src/protocols/rounds/records/write.ts';
import { formatCitedPlace } from '../../src/protocols/rounds/view/wording.ts';
import { citationsIn } from '../../src/text/citations.ts';
import { quotableTexts } from '../../src/text/documents/attachment.ts';
import { exampleCitations, partName, rangeLabel } from '../../src/text/documents/parts.ts';
import { linesOfQuotation } from '../../src/text/words/quotation.ts';

const PARTS = [
  { name: 'p1', from: 1 },
  { name: 'p2', from: 2 },
  { name: 'p3', from: 2 },
];
const TEXT =
  'Failover report\nThe standby lags behind the primary by 40 min-\nutes on Mondays, and no-\nbody had expected the well-known case.\n';
const REPORT = {
  name: 'report.pdf',
  text: TEXT,
  parts: PARTS,
  source: { sha256: 'a', bytes: 1, kind: 'pdf', parts: PARTS },
};

describe('a citation of lines on a page of a document', () => {
  it.each([
    ['attachments/report.pdf#p3L1-L2', 'p3L1-L2'],
    ['see report.pdf, page 3, lines 1 to 2.', 'p3L1-L2'],
    ['report.pdf p. 3', 'p3L1-L3'],
    ['(report.pdf:p3L2)', 'p3L2'],
    ['report.pdf#P1L1–p3L1', 'p1L1-p3L1'],
  ])('is recognized in %j', (text, range) => {
    expect(citationsIn(text, [REPORT])).toMatchObject([
      { ok: true, ref: `attachments/report.pdf#${range}` },
    ]);
  });

  it.each([
    ['report.pdf#p3L4', 'report.pdf: p3 has 3 lines'],
    ['report.pdf#p2L1', 'report.pdf: p2 has no text'],
    ['report.pdf#p9', 'report.pdf: there is no p9 in it'],
    ['report.pdf#p3L2-L1', 'report.pdf: the range ends before it begins'],
    ['report.pdf#L2', 'report.pdf: its lines are cited with their page or sheet, like p1L1'],
  ])('is invalid if the document has no such page or line: %j', (text, why) => {
    expect(citationsIn(text, [REPORT])).toMatchObject([{ ok: false, why }]);
  });

  it('is not seen in a link to a heading, nor in a sentence that only names the document', () => {
    expect(citationsIn('report.pdf#summary says so; report.pdf is long.', [REPORT])).toEqual([]);
  });

  it('is written like the page and number that prompts show beside each line', () => {
    expect(numberLines(TEXT, PARTS).split('\n')[1]).toBe(
      'p3L1: The standby lags behind the primary by 40 min-',
    );
    expect(exampleCitations([{ name: 'a.md' }, REPORT], 'L10-L20')).toBe(
      'attachments/a.md#L10-L20 or attachments/report.pdf#p3L10-L12',
    );
    expect(exampleCitations([{ name: 'a.md' }], 'L10-L20', 'NAME')).toBe(
      'attachments/NAME#L10-L20',
    );
  });

  it('is shown to people in words, with its page and lines', () => {
    expect(formatCitedPlace('attachments/report.pdf#p3L1-L2')).toBe(
      'report.pdf, page 3, lines 1 to 2',
    );
    expect(formatCitedPlace('attachments/report.pdf#p1L1-p3L2')).toBe(
      'report.pdf, page 1, line 1 to page 3, line 2',
    );
    expect(formatCitedPlace('attachments/plan.md#L3')).toBe('plan.md, line 3');
  });

  it('leads to the cited lines of the document’s text in an exported run', () => {
    const resolve = createResolver(
      new Map(makeAttachmentFiles([REPORT, { name: 'a.md', text: 'one\n' }])),
    );
    expect(resolve('attachments/report.pdf#p3L1-L2')).toMatchObject({ state: 'ok', lines: [2, 3] });
    expect(resolve('attachments/report.pdf#p3L4')).toMatchObject({ state: 'no-anchor' });
    expect(resolve('attachments/report.pdf#L2')).toMatchObject({ state: 'no-anchor' });
    expect(resolve('attachments/a.md#L1')).toMatchObject({ state: 'ok', lines: [1, 1] });
    for (const ref of getAllLines(REPORT)) expect(resolve(ref)).toMatchObject({ state: 'ok' });
  });
});

describe('a quotation from a document', () => {
  it.each([
    'the primary by 40 minutes on Mondays',
    'the primary by 40 min-\nutes on Mondays',
    'and nobody had expected the well-known case',
    'nobody had expected the well known case',
    'The standby lags\u00a0behind the primary',
  ])('is found even if line ends or hyphens break the words: %j', (quotation) => {
    expect(findQuotation(quotation, [REPORT])).toBeDefined();
  });

  it('is reported with the page and the lines on which it was found', () => {
    expect(findQuotation('by 40 minutes on Mondays', [REPORT])?.ref).toBe(
      'attachments/report.pdf#p3L1-L2',
    );
  });

  it.each([
    'the primary by 14 minutes on Mondays',
    'the primary by 40 minutes on Fridays',
    'the standby leads the primary',
    'nobody expected the well-known case',
  ])('is not found if its words were changed: %j', (quotation) => {
    expect(findQuotation(quotation, [REPORT])).toBeUndefined();
  });

  it('is found in a script without spaces such as Chinese, if it has at least four characters', () => {
    const text = { text: '数据库的主节点在\n星期五发生故障。\n' };
    expect(linesOfQuotation('主节点在星期五发生', text)).toEqual([1, 2]);
    expect(linesOfQuotation('主节点在星期六发生', text)).toBeUndefined();
    expect(linesOfQuotation('主节点', text)).toBeUndefined();
  });

  it('is looked up in a text in which words that were broken at line ends are joined again', () => {
    expect(quotableTexts(REPORT).some((text) => text.includes('40 minutes on Mondays'))).toBe(true);
    expect(quotableTexts({ name: 'a', text: 'one\n' })).toEqual(['one\n']);
  });
});

it('each sheet of a workbook has a different name for citations', () => {
  expect(partName('Q3 plan/L4', new Set())).toBe('Q3_plan_L_4');
  expect(partName('Zahlen (März)', new Set())).toBe('Zahlen_März_');
  expect(partName('sheet1', new Set(['sheet1']))).toBe('sheet1_2');
  const parts = [{ name: 'Sheet1', from: 1 }];
  expect(rangeLabel(3, 5, parts)).toBe('Sheet1L3-L5');
});
