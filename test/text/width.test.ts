import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainGlyphs } from '../../src/text/plain-glyphs.ts';
import {
  findSafeCut,
  padEnd,
  splitGraphemes,
  textWidth,
  truncateLine,
} from '../../src/text/width.ts';
import { anyCharacter } from '../any-character.ts';

/** Scripts and signs whose width xterm.js and we agree on exactly. */
const scripts: readonly [name: string, text: string][] = [
  ['ASCII', 'The quick brown fox, 42%.'],
  ['Latin', 'Émigré naïve Ångström œuvre ß'],
  ['Latin, decomposed', 'Tiếng Việt đẹp'.normalize('NFD')],
  ['Greek', 'Ελληνικά κείμενο'],
  ['Cyrillic', 'Съешь же ещё этих мягких булок'],
  ['Hebrew with points', 'בְּרֵאשִׁית בָּרָא'],
  ['Arabic with vowels', 'مُحَمَّدٌ رَسُولُ'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Devanagari', 'हिन्दी की क्षत्रिय'],
  ['Bengali', 'বাংলা ভাষা ক্ষ'],
  ['Tamil', 'தமிழ் நி'],
  ['Malayalam', 'മലയാളം ക്ഷ'],
  ['Thai', 'น้ำแข็งที่นี่คำ'],
  ['Lao', 'ພາສາລາວ ຄຳ'],
  ['Khmer', 'ភាសាខ្មែរ ក្រ'],
  ['Tibetan', 'བོད་སྐད་རྒྱུད'],
  ['Georgian', 'ქართული ენა'],
  ['Ethiopic', 'አማርኛ'],
  ['Chinese', '这是中文，标点。「引号」'],
  ['Japanese', 'これはテスト。カタカナー漢字'],
  ['half-width kana', 'ｶﾞｷﾞｸﾞ'],
  ['full-width Latin', 'ＡＢＣ１２３'],
  ['Korean', '한국어 텍스트'],
  ['Korean, decomposed', '한국어'.normalize('NFD')],
  ['punctuation', '“quotes” ‘single’ — – … • · ‰ ′'],
  ['currencies and mathematics', '€ £ ¥ ₿ ∑ ∫ ≤ ≠ √ ∞ ×'],
  ['arrows and boxes', '← ↑ → ↓ ⇒ ─ │ ┌ █ ▮ ░'],
  ['symbols', '✓ ✗ ★ ☆ ♥ ♪ ⚠ ☑ ❤'],
  ['regional letters', '🇩🇪🇫🇷'],
  ['keycaps', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
  ['no-break space', 'a\u00a0b\u202fc'],
];

/** Emoji are one cell in xterm.js without an add-on, and two in today's terminals. */
const emoji = ['👩‍👩‍👧‍👦', '👩🏽‍💻', '🏳️‍🌈', '😀', '⭐', '✅', '❌', '🚀', '👍🏿', '❤️‍🔥', '🫠'];

async function cursorAfter(text: string): Promise<number> {
  const terminal = new xterm.Terminal({ cols: 200, rows: 2, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(text, done));
  const cells = terminal.buffer.active.cursorX;
  terminal.dispose();
  return cells;
}

describe('textWidth', () => {
  it.each(scripts)('counts as many cells for %s as xterm.js', async (_, text) => {
    const plain = plainGlyphs(text);
    expect(textWidth(plain)).toBe(await cursorAfter(plain));
  });

  it.each(emoji)('counts at least as many cells for the emoji %s as xterm.js', async (text) => {
    const plain = plainGlyphs(text);
    expect([...plain]).toHaveLength(1);
    expect(await cursorAfter(plain)).toBeLessThanOrEqual(textWidth(plain));
  });

  it('counts two cells for emoji and East Asian characters, and none for marks', () => {
    expect(textWidth('😀字한')).toBe(6);
    expect(textWidth('e\u0301')).toBe(1);
    expect(textWidth('')).toBe(0);
  });

  it('equals the sum of the widths of the text’s graphemes', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const plain = plainGlyphs(text);
        const all = [...splitGraphemes(plain)];
        expect(all.map((grapheme) => grapheme.text).join('')).toBe(plain);
        expect(all.reduce((sum, grapheme) => sum + grapheme.cells, 0)).toBe(textWidth(plain));
      }),
    );
  });
});

describe('truncateLine and padEnd, which fit a text to a width,', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['字字字', 5, '字字…'],
    ['字字字', 4, '字…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['two\nlines', 20, 'two lines'],
    ['👩‍👩‍👧‍👦 family', 5, '👩 f…'],
  ])('fit %s into %s cells, with an ellipsis if it is longer', (text, cells, short) => {
    expect(truncateLine(text, cells)).toBe(short);
  });

  it('use the ellipsis that the caller gives', () => {
    expect(truncateLine('abcdef', 5, '...')).toBe('ab...');
    expect(truncateLine('abcdef', 2, '...')).toBe('ab');
  });

  it('fill the width exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(30), (text, cells) => {
        const short = truncateLine(text, cells);
        expect(textWidth(short)).toBeLessThanOrEqual(cells);
        expect(textWidth(padEnd(short, cells))).toBe(cells);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('findSafeCut, which finds where a growing text can be cut between two characters,', () => {
  it.each([
    ['abc', 2],
    ['ae\u0301', 1],
    ['a👩\u200d👩', 1],
    ['x😀', 1],
    ['ab🇩', 1],
    ['a', 1],
    ['', 0],
  ])('for "%s" returns the index %d', (text, at) => {
    expect(findSafeCut(text)).toBe(at);
  });

  it('never splits a surrogate pair, the two halves of an emoji', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (text) => {
        const at = findSafeCut(text);
        expect(at).toBeGreaterThan(0);
        expect((text.slice(0, at) + text.slice(at)).isWellFormed()).toBe(text.isWellFormed());
        if (text.isWellFormed()) expect(text.slice(0, at).isWellFormed()).toBe(true);
      }),
    );
  });
});
