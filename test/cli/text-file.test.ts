/** What people hand in as text: read as it is, or refused by its first wrong byte. Nothing is mended. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { refuseLostBytes } from '../../src/cli/argv.ts';
import { editText } from '../../src/io/editor.ts';
import { readText } from '../../src/io/files.ts';
import { decode, Refused } from '../../src/io/text-file.ts';
import { temporaryFolder } from '../store/folder.ts';

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((one) => Buffer.from(typeof one === 'string' ? one : [one])));

/** Bytes that are no text, and what is said of them. */
const BAD: readonly (readonly [string, Buffer, string])[] = [
  ['a zero', bytes('ab', 0, 'c'), 'binary, not text: byte 3 is 0x00'],
  ['Latin-1', bytes('caf', 0xe9, '?'), 'not UTF-8 text: byte 4 is 0xe9'],
  ['half a letter at the end', bytes('é', 0xc3), 'not UTF-8 text: byte 3 is 0xc3'],
  ['a surrogate', bytes('a', 0xed, 0xa0, 0x80), 'not UTF-8 text: byte 2 is 0xed'],
  ['bad bytes behind U+FFFD', bytes('\ufffdx', 0xff), 'not UTF-8 text: byte 5 is 0xff'],
  ['bad bytes behind a mark', bytes('\ufeffx', 0xff), 'not UTF-8 text: byte 5 is 0xff'],
  ['UTF-16', bytes(0xff, 0xfe, 'a', 0), 'UTF-16, not UTF-8 text; save it as UTF-8'],
  ['UTF-16, big first', bytes(0xfe, 0xff, 0, 'a'), 'UTF-16, not UTF-8 text'],
  ['UTF-32', bytes(0xff, 0xfe, 0, 0, 'a', 0, 0, 0), 'UTF-32, not UTF-8 text'],
];

describe('bytes', () => {
  it.each(BAD)('with %s are refused', (_what, given, why) => {
    expect(() => decode('plan.md', given)).toThrow(Refused);
    expect(() => decode('plan.md', given)).toThrow(`plan.md: ${why}`);
  });

  it('are the text that they spell, without a byte order mark, and U+FFFD where it was meant', () => {
    expect(decode('a', bytes('\ufeffWhy \ufffd?\r\n'))).toBe('Why \ufffd?\r\n');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
        expect(decode('a', Buffer.from(text))).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (given) => {
        let text: string;
        try {
          text = decode('a', given);
        } catch (error) {
          expect(error).toBeInstanceOf(Refused);
          return;
        }
        expect([Buffer.from(given), Buffer.from(given).subarray(3)]).toContainEqual(
          Buffer.from(text),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each(BAD)('in a file with %s are refused', (_what, given, why) => {
    const file = join(temporaryFolder(), 'plan.md');
    writeFileSync(file, given);
    expect(() => readText(file)).toThrow(`${file}: ${why}`);
  });
});

describe('arguments', () => {
  const node = Buffer.from('node');

  it('with bytes that are no UTF-8 are refused by their first bad byte', () => {
    const raw = [node, bytes('Why'), bytes('caf', 0xe9)];
    expect(() => refuseLostBytes(['Why', 'caf\ufffd'], raw)).toThrow(
      '"caf\ufffd" is not UTF-8 text: byte 4 is 0xe9',
    );
  });

  it('may ask about U+FFFD, where what was typed can be known', () => {
    const word = 'What is \ufffd?';
    refuseLostBytes([word], [node, Buffer.from(word)]);
    refuseLostBytes(['anything else'], null);
    expect(() => refuseLostBytes([word], null)).toThrow('may replace lost bytes');
  });
});

describe('an editor', () => {
  it('that leaves other than UTF-8 loses nothing: its file stays and is named', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    expect(await editText('Why?', { EDITOR: `printf 'caf\\303\\251' >` })).toBe('café');
    expect(readdirSync(folder)).toEqual([]);
    const refused = editText('Why?', { EDITOR: `printf 'caf\\351' >` });
    await expect(refused).rejects.toThrow('question.md: not UTF-8 text: byte 4 is 0xe9');
    vi.unstubAllEnvs();
    const [kept = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, kept, 'question.md'))).toEqual(bytes('caf', 0xe9));
  });
});
