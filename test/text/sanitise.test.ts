import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sanitiser, sanitiseText } from '../../src/text/sanitise.ts';
import { anyCharacter } from '../any-character.ts';
import { LONG } from '../long.ts';
import { countSteps } from '../steps/steps.ts';
import { attacks } from './escape-corpus.ts';

/** Everything that must never come out, whatever goes in. */
const FORBIDDEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Cs}/u;
const TOO_MANY_MARKS = /[\p{Mn}\p{Me}]{6}/u;

function pushAll(chunks: readonly string[]): string {
  const sanitiser = new Sanitiser();
  return chunks.map((chunk) => sanitiser.push(chunk)).join('') + sanitiser.end();
}

/** Text in which the dangerous parts of attacks meet each other and ordinary text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b_', '\x1b\\', '\x07', '\x9b', '\x9d', '\x9c'],
        ...[
          '\r',
          '\n',
          '\t',
          '\r\n',
          '\u2028',
          '\x18',
          '31m',
          '52;c;',
          '\ud83d',
          '\ude00',
          '\udc00',
        ],
        ...[
          '\u200d',
          '\u200c',
          '\ufe0f',
          '\u0301',
          '👩',
          'क',
          '\u094d',
          'ی',
          'é',
          '字',
          ' ',
          'word',
        ],
      ),
      fc.constantFrom(...attacks.map((attack) => attack.text.slice(0, 80))),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('sanitising a text that contains an attack', () => {
  it('is tested with at least 60 different attacks', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
  });

  it.each(attacks)('removes "$name" and keeps the visible text', ({ text, visible }) => {
    const clean = sanitiseText(text);
    expect(clean).not.toMatch(FORBIDDEN);
    expect(clean).not.toMatch(TOO_MANY_MARKS);
    expect(clean).toContain(visible);
  });

  it.each(attacks)(
    'returns the same text wherever "$name" is split into two chunks',
    ({ text }) => {
      const whole = sanitiseText(text);
      for (let at = 0; at <= Math.min(text.length, 200); at += 1) {
        expect(pushAll([text.slice(0, at), text.slice(at)])).toBe(whole);
      }
      if (text.length < 2000) expect(pushAll(text.split(''))).toBe(whole);
    },
  );
});

describe('sanitised text', () => {
  it('has no control characters and no invisible characters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = sanitiseText(text);
        expect(clean).not.toMatch(FORBIDDEN);
        expect(clean).not.toMatch(TOO_MANY_MARKS);
      }),
      { numRuns: LONG ? 2000 : 500 },
    );
  });

  it('does not depend on how the text was split into chunks', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(30)), (text, sizes) => {
        const chunks: string[] = [];
        let rest = text;
        for (const size of sizes) {
          chunks.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        expect(pushAll([...chunks, rest])).toBe(sanitiseText(text));
      }),
      { numRuns: LONG ? 2000 : 500 },
    );
  });

  it('is not changed by a second pass', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = sanitiseText(text);
        expect(sanitiseText(clean)).toBe(clean);
      }),
      { numRuns: LONG ? 2000 : 500 },
    );
  });

  it('equals the original if there was nothing to remove', () => {
    const printable = fc.string({ unit: fc.constantFrom(...'abc XYZ\n\t019{}[]\\]^_~é字👍') });
    fc.assert(
      fc.property(printable, (text) => {
        expect(sanitiseText(text)).toBe(text);
      }),
    );
  });

  it('keeps all ASCII text of the original, except complete escape sequences', () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9 .,]{0,12}$/), { maxLength: 12 });
    const noise = fc.constantFrom('\x1b]0;t\x07', '\x1b[31m', '\x1b_x\x1b\\', '\x9d0;t\x9c', '\0');
    fc.assert(
      fc.property(words, noise, (parts, sequence) => {
        expect(sanitiseText(parts.join(sequence))).toBe(parts.join(''));
      }),
    );
  });

  it('keeps the text after a sequence that never ends', () => {
    const introducer = fc.constantFrom(
      ...['\x1b]', '\x1bP', '\x1b_', '\x1b^', '\x1bX', '\x9d', '\x90', '\x98', '\x9e', '\x9f'],
    );
    const text = fc.stringMatching(/^[ -~\n]{0,60}$/);
    fc.assert(
      fc.property(text, introducer, text, (left, start, right) => {
        const clean = sanitiseText(left + start + right);
        expect(clean.startsWith(`${left}␛`)).toBe(true);
        expect(clean.endsWith(right)).toBe(true);
      }),
    );
  });
});

describe('the sanitiser, which removes escape sequences and invisible characters,', () => {
  it.each([
    ['an escape character without a sequence is shown as ␛', 'a\x1bb', 'a␛b'],
    ['an escape character at the end of a text is shown as ␛', 'a\x1b', 'a␛'],
    ['an escape character before a letter is shown, and the letter stays', 'a\x1bHello', 'a␛Hello'],
    ['a command string (ESC ] …) without an end is shown as text', '\x1b]0;a', '␛]0;a'],
    [
      'a command string (ESC P …) that a line end interrupts is shown as text',
      '\x1bPabc\ndef\x1b\\',
      '␛Pabc\ndef',
    ],
    [
      'a command string that another escape sequence interrupts is shown as text',
      '\x1b]ab\x1b[1mcd',
      '␛]abcd',
    ],
    [
      'a command string that a control character cancels is shown as text',
      '\x1b]ab\x18cd\x07',
      '␛]abcd',
    ],
    ['a malformed sequence (ESC [ …) is shown as text', '\x1b[12\n', '␛[12\n'],
    ['a carriage return with a line feed is one line end', 'a\r\nb', 'a\nb'],
    ['a carriage return alone is a line end', 'a\rb\r\rc', 'a\nb\n\nc'],
    ['Unicode’s line and paragraph separators are line ends', 'a\u2028b\u2029c', 'a\nb\nc'],
    ['tabs and no-break spaces stay', 'a\tb\u00a0c', 'a\tb\u00a0c'],
    [
      'at most five combining marks stay on a letter',
      `e${'\u0301'.repeat(9)}x\u0301`,
      `e${'\u0301'.repeat(5)}x\u0301`,
    ],
    ['of several variation selectors in a row one stays', '❤\ufe0f\ufe0e\ufe0fx', '❤\ufe0fx'],
    [
      'emoji that are joined to one picture stay',
      '👩🏽\u200d💻 ❤\ufe0f\u200d🔥',
      '👩🏽\u200d💻 ❤\ufe0f\u200d🔥',
    ],
    ['a joiner after an emoji is removed if no emoji follows', '👩\u200dx👩\u200d', '👩x👩'],
    ['a non-joiner between Persian letters stays', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['a joiner between Sinhala letters stays', 'ශ්\u200dරී', 'ශ්\u200dරී'],
    ['of several joiners in a row one stays', 'م\u200c\u200d\u200cخ', 'م\u200cخ'],
  ])('follows the rule: %s', (_, text, clean) => {
    expect(sanitiseText(text)).toBe(clean);
  });

  it.each([
    ['Hebrew with points and accents', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['Arabic with vowels', 'مُحَمَّدٌ رَسُولُ اللَّهِ'],
    ['Thai', 'น้ำแข็งที่นี่เย็นมาก'],
    ['Devanagari', 'क्षत्रिय की हिन्दी में श्रद्धांजलि'],
    ['Tibetan', 'རྒྱུད་བླ་མ་དང་ཧཱུྃ'],
    ['Vietnamese, decomposed', 'Tiếng Việt đẹp lắm'.normalize('NFD')],
    ['Khmer', 'ភាសាខ្មែរ'],
    ['Tamil', 'தமிழ் நி'],
    ['Korean, decomposed', '한국어'.normalize('NFD')],
    ['Japanese', 'これはテストです。ｶﾞ'],
  ])('leaves %s unchanged', (_, text) => {
    expect(sanitiseText(text)).toBe(text);
  });

  it('starts in a fresh state after the end of a text', () => {
    const sanitiser = new Sanitiser();
    sanitiser.push('\x1b]0;abc');
    sanitiser.end();
    expect(sanitiser.push('text') + sanitiser.end()).toBe('text');
  });
});

describe('the cost of sanitising a text', () => {
  const file = new URL('../../src/text/sanitise.ts', import.meta.url);

  it.each([
    ['escape characters', '\x1b'],
    ['beginnings of command strings (ESC ])', '\x1b]'],
    ['beginnings of command strings in one character (C1)', '\x9d'],
    ['beginnings of sequences (ESC [)', '\x1b['],
    ['escape characters in command strings', '\x1b]a\x1b'],
    ['one endless command string', 'a', '\x1b]'],
    ['one endless sequence (ESC [)', '1', '\x1b['],
    ['combining marks', '\u0301'],
    ['joiners', '\u200d'],
    ['emoji and joiners', '👩\u200d'],
    ['halves of surrogate pairs', '\ud83d'],
  ])('is at most 12 times as high for ten times the text: %s', async (_, part, start = '') => {
    const calls = [10_000, 100_000].map((size) => [start + part.repeat(size)]);
    const [small = 0, large = 0] = await countSteps(file, 'sanitiseText', calls);
    expect(large).toBeLessThan(small * 12);
  });

  it('is so low that a million escape characters in one call exhaust neither the stack nor the memory', () => {
    expect(sanitiseText('\x1b'.repeat(1_000_000))).toBe('␛'.repeat(1_000_000));
    expect(sanitiseText('\x1b]'.repeat(200_000)).length).toBe(400_000);
  });

  it('is limited: an escape sequence without an end is held back only up to about 2,000 characters', () => {
    const sanitiser = new Sanitiser();
    const shown = sanitiser.push(`\x1b]${'a'.repeat(100_000)}`);
    expect(shown.length).toBeGreaterThan(100_000 - 2100);
  });
});
