import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/text/width.ts';
import { wrapPlain } from '../../src/text/wrap.ts';
import { anyCharacter } from '../any-character.ts';

describe('wrapPlain', () => {
  it.each([
    ['rows end at spaces', 'one two three', 8, ['one two', 'three']],
    ['a text of exactly the width stays in one row', 'one two', 7, ['one two']],
    ['a word longer than a row is split', 'a abcdefghij b', 4, ['a', 'abcd', 'efgh', 'ij b']],
    ['line breaks and blank lines stay', 'one\n\ntwo', 9, ['one', '', 'two']],
    ['each row has the indentation of its line', '  one two three', 9, ['  one two', '  three']],
    ['several spaces become one', 'one   two', 20, ['one two']],
    ['no wide character is split', '字字字', 5, ['字字', '字']],
    ['a full stop stays with the wide character before it', 'ab 字字。', 7, ['ab 字', '字。']],
    [
      'an opening bracket stays with the wide character after it',
      '字字「字」',
      7,
      ['字字', '「字」'],
    ],
    [
      'combining marks stay with their letter',
      'e\u0301e\u0301e\u0301',
      2,
      ['e\u0301e\u0301', 'e\u0301'],
    ],
    ['a row can end after a dash', 'before—after', 8, ['before—', 'after']],
    ['a wide character becomes ? in rows of one cell', '字a', 1, ['?', 'a']],
    ['rows of one cell have one letter each', 'ab c', 1, ['a', 'b', 'c']],
    ['an empty text becomes one empty row', '', 5, ['']],
  ])('wraps text so that %s', (_, text, width, rows) => {
    expect(wrapPlain(text, width)).toEqual(rows);
  });

  it('never exceeds the width', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(' ', 'a', '字'),
        fc.string({ unit: anyCharacter, maxLength: 1 }),
      ),
      maxLength: 80,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (source, width) => {
        for (const row of wrapPlain(source, width)) {
          expect(textWidth(row)).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every word', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 9, max: 40 }), (words, width) => {
        const rows = wrapPlain(words.join(' '), width);
        expect(rows.join(' ')).toBe(words.join(' '));
      }),
    );
  });

  it('fills its rows: the first word of the next row would not have fitted', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.integer({ min: 9, max: 40 }),
        (words, width) => {
          const rows = wrapPlain(words.join(' '), width);
          for (const [index, row] of rows.slice(1).entries()) {
            const first = row.split(' ')[0] ?? '';
            expect((rows[index] ?? '').length + 1 + first.length).toBeGreaterThan(width);
          }
        },
      ),
    );
  });
});
