import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainGlyphs } from '../../src/text/plain-glyphs.ts';
import { sanitiseText } from '../../src/text/sanitise.ts';
import { textWidth } from '../../src/text/width.ts';
import { anyCharacter } from '../any-character.ts';

/** Returns the function by which the installed Ink measures text. */
async function widthByInk(): Promise<(text: string) => number> {
  const ink = new URL('../../node_modules/ink/build/index.js', import.meta.url);
  const path = createRequire(ink).resolve('string-width');
  const module: { default: (text: string) => number } = await import(pathToFileURL(path).href);
  return module.default;
}

describe('plainGlyphs, which replaces signs that terminals draw differently,', () => {
  /** Generates texts from ranges of Unicode in which programs measure some widths differently. */
  const delicate = fc
    .array(
      fc.oneof(
        fc.integer({ min: 0x900, max: 0x11ff }),
        fc.integer({ min: 0x300, max: 0x6ff }),
        fc.integer({ min: 0x11000, max: 0x11fff }),
        fc.integer({ min: 0x1f1e0, max: 0x1faff }),
        fc.integer({ min: 0x2000, max: 0x2bff }),
        fc.integer({ min: 0xac00, max: 0xac40 }),
        fc.integer({ min: 0xd7a0, max: 0xd7ff }),
        fc.constantFrom(
          ...[0x20, 0x31, 0x61, 0x200c, 0x200d, 0xfe0f, 0x20e3, 0x94d, 0x5b57, 0x1f469],
        ),
      ),
      { maxLength: 8 },
    )
    .map((points) => String.fromCodePoint(...points));

  it.each([
    ['a family is its first member', '👩‍👩‍👧‍👦!', '👩!'],
    ['two families stay two', '👩‍👩‍👧👨‍👩‍👦', '👩👨'],
    ['a profession is a person', '👩🏽‍💻', '👩'],
    ['skin tones go', '👍🏿', '👍'],
    ['flags are letters', 'from 🇩🇪 to 🇫🇷', 'from DE to FR'],
    ['a flag of tags is a flag', sanitiseText('🏴\u{e0067}\u{e0062}\u{e007f}'), '🏴'],
    ['selectors go', '❤\ufe0f ☎\ufe0e', '❤ ☎'],
    ['keycaps are digits', '1\ufe0f\u20e3 2\u20e3', '1 2'],
    ['Thai AM is taken apart', 'คำ', 'ค\u0e4d\u0e32'],
    ['a conjunct is taken apart', 'क्ष', 'क्\u200cष'],
    ['a half form as well', 'क्\u200dष', 'क्\u200cष'],
    ['a final virama is not', 'क् ख', 'क् ख'],
    ['a letter tied to the next is kept apart', '\u0d4ea', '\u0d4e\u200ca'],
    ['signs that enclose digits have no width to rely on', '\u06dd12', '\ufffd12'],
    ['jamo make a syllable', '\u1112\u1161\u11ab', '\u1112\u1161\u11ab'],
    ['other jamo are letters', '\u1161\u11ab\u1112\u11ab', 'ㅏㄴ\u1112ㄴ'],
    ['a syllable behind an initial takes no final', '\u1100가\u11ab', '\u1100가ㄴ'],
    ['archaic ones have none', '\u1176', '\ufffd'],
    ['controls go', 'a\x1b[1mb\x00\x9b', 'a[1mb'],
    ['newlines and tabs stay', 'a\n\tb', 'a\n\tb'],
    ['plain text stays', 'Ünïcödé 字 “x” …', 'Ünïcödé 字 “x” …'],
  ])('simplifies a text: %s', (_, text, plain) => {
    expect(plainGlyphs(text)).toBe(plain);
  });

  it('changes nothing when applied a second time', () => {
    fc.assert(
      fc.property(fc.oneof(delicate, fc.string({ unit: anyCharacter })), (text) => {
        const plain = plainGlyphs(text);
        expect(plainGlyphs(plain)).toBe(plain);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns texts for which Ink and textWidth compute the same width', async () => {
    const stringWidth = await widthByInk();
    fc.assert(
      fc.property(delicate, (text) => {
        const plain = plainGlyphs(sanitiseText(text)).replaceAll('\n', ' ');
        // Texts with unassigned characters are skipped, because their width is not known.
        fc.pre(!/\p{Cn}/u.test(plain));
        expect(textWidth(plain)).toBe(stringWidth(plain));
      }),
      { numRuns: 5000 },
    );
  });

  it('lets Ink and textWidth compute the same width if Unicode joins a letter and the following space', async () => {
    const plain = plainGlyphs('\u{11a84} ');
    expect(textWidth(plain)).toBe((await widthByInk())(plain));
  });

  it('accepts hostile texts of 300,000 emoji or marks', () => {
    const families = '👩\u200d'.repeat(300_000);
    expect(plainGlyphs(families)).toBe('👩');
    expect(plainGlyphs('\u0301'.repeat(300_000)).length).toBe(300_000);
  });
});
