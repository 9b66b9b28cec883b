import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { type Row, rowText } from '../../src/text/rows/row.ts';
import { sanitiseText } from '../../src/text/sanitise.ts';
import { textWidth } from '../../src/text/width.ts';
import { anyCharacter } from '../any-character.ts';
import { LONG } from '../long.ts';
import { countSteps } from '../steps/steps.ts';
import { attacks } from './escape-corpus.ts';

function layOut(chunks: readonly string[], width: number, look = false): ColumnBuffer {
  const buffer = new ColumnBuffer(width);
  for (const chunk of chunks) {
    buffer.push(chunk);
    if (look) expect(buffer.length).toBeGreaterThanOrEqual(0);
  }
  buffer.end();
  return buffer;
}

function readRows(buffer: ColumnBuffer): Row[] {
  return buffer.slice(0, buffer.length);
}

function cutText(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  let rest = text;
  for (const size of sizes) {
    chunks.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return [...chunks, rest];
}

/** Pieces of Markdown that meet each other in every order, some longer than a part of a line. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...['\n', '\n\n', ' ', '  ', '\n- ', '\n  1. ', '\n> ']),
  },
  { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z]{1,12}$/) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['**', '*', '_', '__', '~~', '`', '``', '[', '](', ')', '](u)', '\\', '!', '|', '"'],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '\n# ',
        '\n```\n',
        '\n```js\n',
        '\n~~~\n',
        '\n---\n',
        '\n|a|b|\n|-|-|\n',
        '\n|1|2|',
        '\t',
      ],
      ...['\n    ', '>', '#', '-', '- [x] ', '\n\n    code'],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['字', '。', '👩\u200d👩', '🇩🇪', 'é', 'e\u0301', '\u0301', 'क्ष', '—', '\ud83d'],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('word ', 'x', '**a ', '字', '[a](', '`', ' ', '> ', '\u0301'),
        fc.integer({ min: 300, max: 3000 }),
      )
      .map(([part, times]) => part.repeat(times)),
  },
);
const source = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const width = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 90 }));

describe('the rows that ColumnBuffer makes of a text', () => {
  it('do not depend on how the text was split into pieces', () => {
    fc.assert(
      fc.property(source, fc.array(fc.nat(60), { maxLength: 80 }), width, (text, sizes, cells) => {
        const whole = layOut([text], cells);
        expect(readRows(layOut(cutText(text, sizes), cells, true))).toEqual(readRows(whole));
      }),
      { numRuns: LONG ? 600 : 100 },
    );
  });

  it('are the same if every character is appended alone', () => {
    const short = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('').slice(0, 3000));
    fc.assert(
      fc.property(short, width, (text, cells) => {
        expect(readRows(layOut(text.split(''), cells))).toEqual(readRows(layOut([text], cells)));
      }),
      { numRuns: LONG ? 200 : 40 },
    );
  });

  it('never exceed the width, even while the text grows', () => {
    fc.assert(
      fc.property(source, fc.nat(), width, (text, at, cells) => {
        const buffer = new ColumnBuffer(cells);
        const half = at % (text.length + 1);
        for (const chunk of [text.slice(0, half), text.slice(half)]) {
          buffer.push(chunk);
          for (const row of readRows(buffer))
            expect(textWidth(rowText(row))).toBeLessThanOrEqual(cells);
        }
        buffer.end();
        for (const row of readRows(buffer))
          expect(textWidth(rowText(row))).toBeLessThanOrEqual(cells);
      }),
      { numRuns: LONG ? 600 : 100 },
    );
  });

  it('are the same after a change of the width as in a new buffer with that width', () => {
    fc.assert(
      fc.property(source, fc.nat(), width, width, (text, at, before, after) => {
        const half = at % (text.length + 1);
        const buffer = new ColumnBuffer(before);
        buffer.push(text.slice(0, half));
        buffer.resize(after);
        buffer.push(text.slice(half));
        buffer.end();
        expect(readRows(buffer)).toEqual(readRows(layOut([text], after)));
        buffer.resize(before);
        expect(readRows(buffer)).toEqual(readRows(layOut([text], before)));
      }),
      { numRuns: LONG ? 300 : 60 },
    );
  });

  it('contain every letter of the text', () => {
    // The rows show every letter of this Markdown, because it has no letters that the layout hides, such as the
    // language of a code block.
    const prose = fc
      .array(
        fc.oneof(
          fc.stringMatching(/^[a-zA-Z]{1,12}$/),
          fc.constantFrom(
            ...[' ', '\n', '\n\n', '**', '*', '_', 'a`', 'a~~', '[', '](9)', '\\', '字'],
          ),
          fc.constantFrom(...['\n# ', '\n- ', '\n1. ', '\n> ', '\n```\n', '\n---\n', '\n    ']),
          fc.constantFrom('word '.repeat(700), '**a '.repeat(900), 'x'.repeat(3000)),
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(prose, fc.integer({ min: 2, max: 60 }), (text, cells) => {
        const rows = readRows(layOut([text], cells));
        const letters = rows
          .map(rowText)
          .join('')
          .replace(/[^a-z字]/gi, '');
        expect(letters).toBe(text.replace(/[^a-z字]/gi, ''));
      }),
      { numRuns: LONG ? 600 : 100 },
    );
  });

  it('contain the whole of a table, however narrow the rows are', () => {
    const cell = fc.stringMatching(/^[0-9 ]{0,14}$/);
    const lines = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { maxLength: 130 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), lines, width, (columns, body, cells) => {
        const formatRow = (texts: readonly string[]): string => `|${texts.join('|')}|\n`;
        const table = Array.from({ length: columns });
        const head = formatRow(table.map(() => 'head')) + formatRow(table.map(() => '---'));
        const rows = readRows(layOut([head + body.map(formatRow).join('')], cells)).map(rowText);
        const sortDigits = (text: string): string =>
          [...text.replace(/[^0-9]/g, '')].sort().join('');
        expect(sortDigits(rows.join(''))).toBe(sortDigits(body.flat().join('')));
      }),
    );
  });

  it('have no two consecutive blank rows', () => {
    const blanks = fc.array(fc.constantFrom('\n', ' ', 'a', '# h', '> ', '- b', '\n\n'));
    fc.assert(
      fc.property(blanks, (parts) => {
        const rows = readRows(layOut([parts.join('')], 20)).map((row) => rowText(row).trim());
        const isBlank = rows.map((row) => row === '' || row === '|');
        expect(rows[0]).not.toBe('');
        expect(rows.at(-1)).not.toBe('');
        for (const [index, blank] of isBlank.entries()) {
          expect(blank && (isBlank[index + 1] ?? false)).toBe(false);
        }
      }),
      { numRuns: LONG ? 600 : 100 },
    );
  });

  it.each(attacks)(
    'contain no control characters of the attack "$name" after it is sanitised',
    ({ text }) => {
      const rows = readRows(layOut([sanitiseText(text)], 30)).map(rowText);
      for (const row of rows) {
        expect(row).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]/);
      }
    },
  );
});

describe('a text that grows in the column buffer', () => {
  it('shows bold text as bold before the closing ** has arrived', () => {
    const buffer = new ColumnBuffer(40);
    buffer.push('some **bold te');
    expect(buffer.row(0)).toMatchObject([
      { text: 'some ', style: { bold: false } },
      { text: 'bold te', style: { bold: true } },
    ]);
    buffer.push('xt*');
    expect(rowText(buffer.row(0))).toBe('some bold text');
    buffer.end();
    expect(rowText(buffer.row(0))).toBe('some *bold text');
  });

  it('keeps complete rows as the same objects', () => {
    const buffer = new ColumnBuffer(20);
    buffer.push('# A heading\n\nA paragraph that wraps around.\nAnother');
    const before = readRows(buffer);
    buffer.push(' one\n\n- and\n- a list\n');
    const after = readRows(buffer);
    for (let index = 0; index < before.length - 1; index += 1) {
      expect(after[index]).toBe(before[index]);
    }
  });

  it('changes only its last line or its last table', () => {
    const text = `${'Some **words** of a line.\n'.repeat(20)}\n|a|b|\n|-|-|\n|1|2|\n|3|4|\n\nend`;
    const buffer = new ColumnBuffer(30);
    let before: Row[] = [];
    for (const char of text) {
      buffer.push(char);
      const now = readRows(buffer);
      const same = now.findIndex((row, index) => row !== before[index]);
      expect(now.length - (same < 0 ? now.length : same)).toBeLessThanOrEqual(6);
      before = now;
    }
  });

  it('turns a line into a table’s header when the next line requires that', () => {
    const buffer = new ColumnBuffer(30);
    buffer.push('| a | b |\n');
    expect(readRows(buffer).map(rowText)).toEqual(['| a | b |']);
    buffer.push('|---|---|\n| 1 |');
    expect(readRows(buffer).map(rowText)).toEqual(['a | b', '--+--', '1 | ']);
  });

  it('increases its version number when its rows change', () => {
    const buffer = new ColumnBuffer(30);
    const versions = [buffer.version];
    const applyChange = (change: () => void): void => {
      change();
      versions.push(buffer.version);
    };
    applyChange(() => buffer.push('a'));
    applyChange(() => buffer.push('\n'));
    applyChange(() => buffer.end());
    applyChange(() => buffer.resize(20));
    applyChange(() => buffer.clear());
    expect(new Set(versions).size).toBe(versions.length);
    const { version } = buffer;
    buffer.push('');
    buffer.resize(20);
    expect(buffer.length).toBe(0);
    expect(buffer.version).toBe(version);
  });

  it('continues on a new line if text is added after `end` was called', () => {
    const buffer = layOut(['one **two'], 30);
    buffer.push('three');
    buffer.end();
    expect(readRows(buffer).map(rowText)).toEqual(['one **two', 'three']);
    expect(buffer.text).toBe('one **two\nthree');
  });

  it('can be cleared', () => {
    const buffer = layOut(['# one\n```\ntwo'], 30);
    buffer.clear();
    expect([buffer.length, buffer.text]).toEqual([0, '']);
    buffer.push('three');
    buffer.end();
    expect(readRows(buffer).map(rowText)).toEqual(['three']);
  });

  it('has empty rows for indexes that do not exist', () => {
    const buffer = layOut(['one\ntwo'], 30);
    expect(buffer.row(5)).toEqual([]);
    expect(buffer.row(-1)).toEqual([]);
    expect(buffer.slice(1, 9).map(rowText)).toEqual(['two']);
    expect(buffer.slice(-3, 1).map(rowText)).toEqual(['one']);
    expect(new ColumnBuffer(0).width).toBe(1);
  });
});

describe('ColumnBuffer.find', () => {
  const buffer = layOut(
    [
      '# Monolith\n\nSplit the monolith now, or keep the Monolith.\n\n> a quoted text that wraps\n',
      'abcdefghijklmnopqrstuvwxyz',
    ],
    20,
  );

  it.each([
    ['monolith', [0, 2, 4]],
    ['MONOLITH NOW', [2]],
    ['keep the monolith', [3]],
    ['quoted text that wraps', [6]],
    ['qrstuvw', [8]],
    ['vwxyz', [9]],
    ['nowhere', []],
    ['', []],
  ])('finds %j in the rows %j, whatever their styles and line breaks', (query, rows) => {
    expect(readRows(buffer).map(rowText)).toHaveLength(10);
    expect(buffer.find(query)).toEqual(rows);
  });

  it('finds text in a line that is not complete', () => {
    const streaming = new ColumnBuffer(20);
    streaming.push('some **bold wo');
    expect(streaming.find('some bold wo')).toEqual([0]);
  });
});

describe('the cost of laying out a growing text', () => {
  const file = new URL('./token-steps.ts', import.meta.url);

  const line = 'Some **bold** words, `code` and a [link](https://example.com) in a line of text.\n';
  it.each([
    ['lines', line, ''],
    ['one paragraph without an end', 'word after word, *some* emphasis, ', ''],
    ['one word', 'abcdefghijklmnopqrstuvwxyz', ''],
    ['an endless list', '- an item of a list\n', ''],
    ['an endless table', '| a | cell |\n', '| a | b |\n|---|---|\n'],
    ['an open fence', 'let a = 1;\n', '```js\n'],
    ['code on one line', 'let a = 1; ', '```js\n'],
    ['marks that never close', '**a *b _c `d [e ', ''],
    ['quotes in quotes', '> ', ''],
    ['blank lines', '\n', 'a'],
  ])('does not depend on how much text came before the new piece: %s', async (_, part, start) => {
    const sample = part.repeat(Math.ceil(2000 / part.length));
    const calls = [3000, 100_000].map((length) => [
      start + part.repeat(Math.ceil(length / part.length)),
      sample,
    ]);
    const [early = 0, late = 0] = await countSteps(file, 'tokensAfter', calls);
    expect(late).toBeLessThan(early * 1.5);
  });

  it.each([
    ...['[', '](', '*a_', '`', '``` `', '|', '\\', '> ', '- ', '"](', '字', '\t'].map(
      (part) => [part, part, ''] as const,
    ),
    [
      'rows of a table with a thousand columns',
      '|\n|\n',
      `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n`,
    ] as const,
  ])('is linear in the length of hostile text: %s', async (_, part, start) => {
    const calls = [10_000, 40_000].map((times) => [start + part.repeat(times)]);
    const [small = 0, large = 0] = await countSteps(file, 'layOutAll', calls);
    expect(large).toBeLessThan(small * 6);
  });
});
