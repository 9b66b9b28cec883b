import { describe, expect, it } from 'vitest';
import { numberLines } from '../../src/protocols/common/prompts/fence.ts';
import { attachmentPath } from '../../src/protocols/rounds/records/layout.ts';
import { citationsIn, citedLines, lineCount } from '../../src/text/citations.ts';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';

const DESIGN = {
  name: 'design.md',
  text: Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join('\n'),
};
const NESTED = { name: 'docs/api/plan.txt', text: 'one\r\ntwo\r\nthree\r\n' };
const FILES = [DESIGN, NESTED];

function getOnlyCitation(text: string) {
  const found = citationsIn(text, FILES);
  expect(found).toHaveLength(1);
  return found[0];
}

describe('finding citations of attachments in a text', () => {
  it.each([
    ['attachments/design.md#L10-L20', 10, 20],
    ['attachments/design.md#L10', 10, 10],
    ['design.md#L10-20', 10, 20],
    ['design.md#10-20', 10, 20],
    ['design.md#L10–L20', 10, 20],
    ['design.md#L10C3-L20C7', 10, 20],
    ['design.md:10', 10, 10],
    ['design.md:10-20', 10, 20],
    ['`design.md` L10-L20', 10, 20],
    ['[design.md, L10-L20]', 10, 20],
    ['design.md (lines 10-20)', 10, 20],
    ['**design.md**, lines 10 to 20', 10, 20],
    ['design.md line 7', 7, 7],
    ['Design.md#L7', 7, 7],
  ])('recognizes the citation %s', (text, from, to) => {
    expect(getOnlyCitation(`It says so (${text}).`)).toMatchObject({
      name: 'design.md',
      from,
      to,
      ok: true,
    });
  });

  it('returns for each citation its position in the text and its normal form', () => {
    const text = 'See `design.md`, lines 3-4; then design.md:9.';
    const found = citationsIn(text, FILES);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
      'design.md`, lines 3-4',
      'design.md:9',
    ]);
    expect(found.map(({ ref }) => ref)).toEqual([
      'attachments/design.md#L3-L4',
      'attachments/design.md#L9',
    ]);
  });

  it('finds a file in a subfolder by its path, or by its name if no other file has this name', () => {
    expect(getOnlyCitation('attachments/docs/api/plan.txt#L2')).toMatchObject({
      name: NESTED.name,
      ok: true,
    });
    expect(getOnlyCitation('plan.txt#L2')).toMatchObject({
      ref: 'attachments/docs/api/plan.txt#L2',
      ok: true,
    });
    const both = [NESTED, { name: 'old/plan.txt', text: 'x' }];
    expect(citationsIn('plan.txt#L2', both)).toEqual([]);
    expect(citationsIn('old/plan.txt#L1', both)).toMatchObject([
      { name: 'old/plan.txt', ok: true },
    ]);
  });

  it.each([
    ['design.md#L31', 'design.md has 30 lines'],
    ['design.md#L29-L31', 'design.md has 30 lines'],
    ['design.md#L0', 'lines are counted from 1'],
    ['design.md#L20-L10', 'the range ends before it begins'],
    ['design.md#L99999999999999', 'design.md has 30 lines'],
    ['attachments/other.md#L1', 'there is no attachment other.md'],
    ['attachments/../design.md#L1', 'there is no attachment ../design.md'],
  ])('reports why the citation %s leads to no existing lines', (text, why) => {
    expect(getOnlyCitation(text)).toMatchObject({ ok: false, why });
  });

  it.each([
    'design.md 3 times',
    'design.md: 3 options',
    'mydesign.md#L3',
    'other/design.md#L3',
    'https://example.org/blob/design.md#L3',
    'artifacts/round_3/critic.md#attack-2',
    'design.md',
    'L10-L20',
  ])('does not count “%s” as a citation', (text) => {
    expect(citationsIn(text, FILES)).toEqual([]);
  });

  it('matches special characters such as * in file names literally', () => {
    const odd = { name: 'a+(b)*.md', text: 'x' };
    expect(citationsIn('a+(b)*.md#L1 and aab.md#L1', [odd])).toMatchObject([{ name: odd.name }]);
    expect(citationsIn('#L1 :1 L1', [{ name: '', text: 'x' }])).toEqual([]);
  });

  it('ends within a test’s time limit for a repetitive text of 640,000 characters', () => {
    const text = `${'attachments/'.repeat(20_000)}${'design.md '.repeat(20_000)}${'design.md#'.repeat(20_000)}`;
    expect(citationsIn(text, FILES)).toEqual([]);
  });
});

describe('the attachments of a run', () => {
  it('are split into lines in the same way as in prompts', () => {
    expect(citedLines(NESTED, 2, 3)).toEqual(['two', 'three']);
    expect(citedLines(NESTED, 0, 99)).toEqual(['one', 'two', 'three']);
    expect(citedLines(NESTED, 3, 2)).toEqual([]);
    expect(lineCount(NESTED)).toBe(3);
    expect(numberLines(NESTED.text)).toBe('1: one\n2: two\n3: three');
  });

  it('are read from the run’s recorded settings', () => {
    expect(attachmentsOf({ seed: 1, attachments: [NESTED] })).toEqual([NESTED]);
    expect(attachmentsOf({ attachments: 'none' })).toEqual([]);
    expect(attachmentsOf(undefined)).toEqual([]);
  });

  it('are stored below the folder of attachments, even if their names lead elsewhere', () => {
    expect(attachmentPath('docs/api/plan.txt')).toBe('attachments/docs/api/plan.txt');
    expect(attachmentPath('a\u202egpj\u2028.md\u200b')).toBe('attachments/agpj_.md');
    expect(attachmentPath('../../x')).toBe('attachments/_/_/x');
    expect(attachmentPath('/etc//x\\y')).toBe('attachments/_/etc/_/x_y');
  });
});

it('finding citations in “attachments/!design.md#L1” returns one, although “design.md#L1” within it matches, too', () => {
  const design = [{ name: 'design.md', text: 'a' }];
  expect(citationsIn('attachments/!design.md#L1', design)).toHaveLength(1);
});
