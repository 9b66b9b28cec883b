import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/text/width.ts';
import { wrapPlain } from '../../src/text/wrap.ts';
import { anyCharacter } from '../any-character.ts';

describe('wrapPlain', () => {
  it.each([
    ['at spaces', 'one two three', 8, ['one two', 'three']],
    ['exactly', 'one two', 7, ['one two']],
    ['long words by cells', 'a abcdefghij b', 4, ['a', 'abcd', 'efgh', 'ij b']],
    ['lines one by one', 'one\n\ntwo', 9, ['one', '', 'two']],
    ['with its indentation', '  one two three', 9, ['  one two', '  three']],
    ['runs of spaces as one', 'one   two', 20, ['one two']],
    ['wide characters whole', '字字字', 5, ['字字', '字']],
    ['wide characters with their full stop', 'ab 字字。', 7, ['ab 字', '字。']],
    ['wide characters with their bracket', '字字「字」', 7, ['字字', '「字」']],
    ['marks with their base', 'e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['at dashes', 'before—after', 8, ['before—', 'after']],
    ['wide characters in one cell as ?', '字a', 1, ['?', 'a']],
    ['to one cell', 'ab c', 1, ['a', 'b', 'c']],
    ['nothing', '', 5, ['']],
  ])('wraps %s', (_, text, width, rows) => {
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
