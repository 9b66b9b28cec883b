/**
 * Promise: the number before a line of an attachment is the number by which code looks the line up, and
 * nothing in a text can make a number of its own. Texts without odd characters give the same prompt, to
 * the letter, as they always did: recorded steps are found by it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encloseInTags, numberLines } from '../../src/protocols/common/prompts/fence.ts';
import { createResolver } from '../../src/protocols/rounds/records/anchors.ts';
import { citationsIn, citedLines, lineCount } from '../../src/text/citations.ts';
import { sanitiseText } from '../../src/text/sanitise.ts';
import { attacks } from '../text/escape-corpus.ts';

const makeAttachment = (text: string) => ({ name: 'plan.md', text });

/** The lines of the block in a prompt, without its tags. */
function getShownLines(text: string): string[] {
  return encloseInTags('attachment', '1f3a9c02', 'plan.md', numberLines(text))
    .split('\n')
    .slice(1, -1);
}

describe('numbering the lines of a text that imitates line numbers', () => {
  it.each([
    ['a line separator', 'one\u20287: forged'],
    ['a paragraph separator', 'one\u20297: forged'],
    ['a carriage return', 'one\r7: forged'],
    ['a next-line character, a vertical tab or a form feed', 'one\u0085two\u000bthree\u000cfour'],
    ['an escape character and a line separator', 'one\u001b\u20287: forged'],
  ])('shows as many numbered lines as code counts in a text with %s', (_what, text) => {
    for (const [index, line] of getShownLines(text).entries())
      expect(line).toMatch(`${index + 1}: `);
    expect(getShownLines(text)).toHaveLength(lineCount(makeAttachment(text)));
  });
});

it('a cited line number refers to the line that was shown with it, whatever the text contains', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\u2028',
      '\u2029',
      '\u0085',
      '\v',
      '\f',
      '\u001b',
      '\u001b]',
    ),
    fc.constantFrom(
      '\u200b',
      '\ufeff',
      '\u200d',
      '\ufe0f',
      '\u0301',
      '\ud83d',
      '\u0007',
      '\u009c',
      ' ',
    ),
    fc.constantFrom('a', '7: b', '字', '👩', ...attacks.map(({ text }) => text.slice(0, 60))),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const file = makeAttachment(pieces.join(''));
      const lines = numberLines(file.text) === '' ? [] : numberLines(file.text).split('\n');
      expect(lines).toHaveLength(lineCount(file));
      for (const [index, line] of lines.entries()) {
        const [cited = ''] = citedLines(file, index + 1, index + 1);
        expect(line).toBe(`${index + 1}: ${sanitiseText(cited)}`);
      }
      const folder = new Map([['attachments/plan.md', file.text]]);
      const hasLine = (at: number) =>
        createResolver(folder)(`attachments/plan.md#L${at}`).state === 'ok';
      const [last, next] = [lines.length, lines.length + 1];
      expect(hasLine(next)).toBe(false);
      if (last > 0) expect(hasLine(last)).toBe(true);
      expect(citationsIn(`plan.md#L${next}`, [file])).toMatchObject([{ ok: false }]);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  [
    'line ends of all kinds',
    'one\r\ntwo\rthree\n\n\tfour\n',
    '1: one\n2: two\n3: three\n4: \n5: \tfour',
  ],
  ['a single line', 'one', '1: one'],
  ['blank lines at the end', 'one\n\n\n', '1: one\n2: \n3:'],
  ['letters of many scripts', 'Größe\nमैं\n❤️ 👩‍💻\n日本', '1: Größe\n2: मैं\n3: ❤️ 👩‍💻\n4: 日本'],
  ['tags, of which the program’s own are escaped', '<answer>\n<b>', '1: &lt;answer>\n2: <b>'],
])('each line is shown after its number in a text with %s', (_what, text, block) => {
  expect(encloseInTags('attachment', '1', 'plan.md', numberLines(text))).toBe(
    `<attachment-1 from="plan.md">\n${block}\n</attachment-1>`,
  );
});
