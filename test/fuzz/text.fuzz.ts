/** Fuzz targets of the room `text`: words of models that are cleaned, measured, wrapped and laid out. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainGlyphs } from '../../src/text/plain-glyphs.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { rowText } from '../../src/text/rows/row.ts';
import { Sanitiser, sanitiseText } from '../../src/text/sanitise.ts';
import { padEnd, splitGraphemes, textWidth, truncateLine } from '../../src/text/width.ts';
import { wrapPlain } from '../../src/text/wrap.ts';
import { cutShares, cutText, type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

const ESCAPES = [
  ...['\u001b', '\u001b[', '\u001b[31m', '\u001b]0;x\u0007', '\u001b]52;c;eA==\u001b\\', '\u009b'],
  ...[
    '\u009d',
    '\u001bP',
    '\u009c',
    '\u0007',
    '\\',
    ';',
    '0',
    'm',
    '\r',
    '\n',
    '\t',
    '\0',
    '\u007f',
  ],
  ...[
    '\u202e',
    '\u200b',
    '\u200d',
    '\u2028',
    '\ud83d',
    '\udc4d',
    '\ufe0f',
    '👍🏽',
    '👩‍👩‍👧',
    '🇩🇪',
    '🇩',
  ],
  ...['e\u0301', '\u0301', 'क्ष', 'ก็', '한', '\u1112\u1161', '漢', 'a', ' ', 'word ', '\u00ad'],
];

const MARKDOWN = [
  ...[
    '# ',
    '## ',
    '- ',
    '  - ',
    '* ',
    '1. ',
    '10) ',
    '> ',
    '>> ',
    '```',
    '```ts\n',
    '~~~\n',
    '    ',
  ],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '|',
    '| a | b |\n',
    '|---|:-:|\n',
    '---\n',
    '===\n',
    '**',
    '*',
    '_',
    '__',
  ],
  ...[
    '~~',
    '`',
    '``',
    '[',
    '](',
    ')',
    'https://x.y/z',
    '<',
    '>',
    '\\',
    '&amp;',
    '!',
    'word ',
    'a',
    ' ',
  ],
  ...['漢字', '👍🏽', 'e\u0301', 'longlonglonglonglong', '\t', '[x] ', '![', '<br>', '\u0301'],
];

const width = fc.integer({ min: 2, max: 40 });

function formatRows(buffer: ColumnBuffer): string {
  return JSON.stringify(buffer.slice(0, buffer.length));
}

function laidOut(chunks: readonly string[], cells: number): ColumnBuffer {
  const buffer = new ColumnBuffer(cells);
  for (const chunk of chunks) buffer.push(chunk);
  buffer.end();
  return buffer;
}

/**
 * Matches what may not reach a terminal: control characters except newline and tab, and characters that
 * reorder or hide text.
 */
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/;

/** The fuzz targets of the room `text`. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'sanitiser: its output is safe, unchanged by a second pass, and independent of how the text was cut',
    fc.tuple(makeText(ESCAPES), cutShares),
    ([text, shares]) => {
      const clean = sanitiseText(text);
      assert.doesNotMatch(clean, OBEYED);
      assert.ok(clean.isWellFormed());
      assert.equal(sanitiseText(clean), clean);
      const stream = new Sanitiser();
      const streamed = cutText(text, shares).map((chunk) => stream.push(chunk));
      assert.equal(streamed.join('') + stream.end(), clean);
    },
    { piece: makeText(ESCAPES, 8), read: sanitiseText },
  ),
  makeTarget(
    'widths: the widths of graphemes add up, and cut or padded text keeps to the requested cells',
    fc.tuple(makeText(ESCAPES).map(sanitiseText), fc.integer({ min: 0, max: 30 })),
    ([text, cells]) => {
      const plain = plainGlyphs(text);
      const parts = [...splitGraphemes(plain)];
      assert.equal(parts.map((part) => part.text).join(''), plain);
      assert.equal(
        parts.reduce((sum, part) => sum + part.cells, 0),
        textWidth(plain),
      );
      assert.ok(textWidth(truncateLine(text, cells)) <= cells);
      assert.ok(textWidth(padEnd(text, cells)) >= cells);
      assert.equal(plainGlyphs(plain), plain);
    },
    {
      piece: makeText(ESCAPES, 8).map(sanitiseText),
      read: (text) => truncateLine(text, text.length),
    },
  ),
  makeTarget(
    'wrapping: no row is too wide, and no word is lost',
    fc.tuple(makeText([...ESCAPES, ...MARKDOWN]).map(sanitiseText), width),
    ([text, cells]) => {
      const wrapped = wrapPlain(text, cells);
      for (const row of wrapped) assert.ok(textWidth(row) <= cells, JSON.stringify(row));
      // The program draws a combining mark without a letter on a dotted circle, which this comparison
      // ignores.
      const removeSpaces = (words: string): string => words.replace(/[\s◌]+/g, '');
      assert.equal(removeSpaces(wrapped.join('')), removeSpaces(plainGlyphs(text)));
    },
    { piece: makeText(MARKDOWN, 8).map(sanitiseText), read: (text) => wrapPlain(text, 40) },
  ),
  makeTarget(
    'columns: no row is too wide, and rows do not depend on cuts, earlier reads and resizing',
    fc.tuple(makeText([...MARKDOWN, ...ESCAPES], 40).map(sanitiseText), cutShares, width, width),
    ([text, shares, cells, later]) => {
      const whole = laidOut([text], cells);
      for (const row of whole.slice(0, whole.length))
        assert.ok(textWidth(rowText(row)) <= cells, JSON.stringify(rowText(row)));
      const looked = new ColumnBuffer(cells);
      for (const chunk of cutText(text, shares)) {
        looked.push(chunk);
        for (const row of looked.slice(0, looked.length))
          assert.ok(textWidth(rowText(row)) <= cells, JSON.stringify(rowText(row)));
      }
      looked.end();
      assert.equal(formatRows(looked), formatRows(whole));
      looked.resize(later);
      assert.equal(formatRows(looked), formatRows(laidOut([text], later)));
    },
    { piece: makeText(MARKDOWN, 8).map(sanitiseText), read: (text) => laidOut([text], 60).length },
  ),
];
