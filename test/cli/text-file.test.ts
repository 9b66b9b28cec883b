/** What people hand in as text: read as it is, or refused by its first wrong byte. Nothing is mended. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { refuseLostBytes } from '../../src/cli/argv.ts';
import { decodeDocument, decodeText, decodeUtf8 } from '../../src/io/decoding/decode.ts';
import { readEncoding } from '../../src/io/decoding/encoding.ts';
import { editText } from '../../src/io/editor.ts';
import { readText } from '../../src/io/files.ts';
import { RefusedFileError } from '../../src/io/text-file.ts';
import { temporaryFolder } from '../store/folder.ts';

const toBytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'string' ? part : [part])));

/** Bytes that are no text, and the message about each. */
const BAD: readonly (readonly [string, Buffer, string])[] = [
  ['a zero', toBytes('ab', 0, 'c'), 'binary, not text: byte 3 is 0x00'],
  ['Latin-1', toBytes('caf', 0xe9, '?'), 'not UTF-8 text: byte 4 is 0xe9'],
  ['half a letter at the end', toBytes('é', 0xc3), 'not UTF-8 text: byte 3 is 0xc3'],
  ['a surrogate', toBytes('a', 0xed, 0xa0, 0x80), 'not UTF-8 text: byte 2 is 0xed'],
  ['bad bytes behind U+FFFD', toBytes('\ufffdx', 0xff), 'not UTF-8 text: byte 5 is 0xff'],
  ['bad bytes behind a mark', toBytes('\ufeffx', 0xff), 'not UTF-8 text: byte 5 is 0xff'],
  ['half a unit of UTF-16', toBytes(0xff, 0xfe, 'a', 0, 'b'), 'not UTF-16 text: it ends inside'],
  [
    'half a pair in UTF-16',
    toBytes(0xff, 0xfe, 0, 0xd8, 'a', 0),
    'not UTF-16 text: byte 6 is 0x00',
  ],
  ['a zero in UTF-16', toBytes(0xff, 0xfe, 'a', 0, 0, 0), 'binary, not text in UTF-16'],
  ['UTF-32', toBytes(0xff, 0xfe, 0, 0, 'a', 0, 0, 0), 'UTF-32, not UTF-8 text'],
];

describe('decoding bytes', () => {
  it.each(BAD)('refuses bytes with %s', (_what, given, why) => {
    expect(() => decodeText('plan.md', given)).toThrow(RefusedFileError);
    expect(() => decodeText('plan.md', given)).toThrow(`plan.md: ${why}`);
  });

  it('removes a byte order mark, and keeps the character U+FFFD', () => {
    expect(decodeText('a', toBytes('\ufeffWhy \ufffd?\r\n'))).toBe('Why \ufffd?\r\n');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
        expect(decodeText('a', Buffer.from(text))).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (given) => {
        const [first, second] = given;
        // Skip bytes that begin with a byte order mark of UTF-16; other tests cover such bytes.
        fc.pre(!(first === 0xff && second === 0xfe) && !(first === 0xfe && second === 0xff));
        let text: string;
        try {
          text = decodeText('a', given);
        } catch (error) {
          expect(error).toBeInstanceOf(RefusedFileError);
          return;
        }
        expect([Buffer.from(given), Buffer.from(given).subarray(3)]).toContainEqual(
          Buffer.from(text),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each(BAD)('refuses a file with %s', (_what, given, why) => {
    const file = join(temporaryFolder(), 'plan.md');
    writeFileSync(file, given);
    expect(() => readText(file)).toThrow(`${file}: ${why}`);
  });
});

describe('UTF-16 with a byte order mark', () => {
  it.each([
    ['little', 'utf-16le'],
    ['big', 'utf-16be'],
  ])('is decoded in %s-endian byte order', (_end, encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && text.isWellFormed());
        const little = Buffer.from(`\ufeff${text}`, 'utf16le');
        const given = encoding === 'utf-16le' ? little : Buffer.from(little).swap16();
        expect(decodeText('a', given)).toBe(text);
        expect(decodeDocument('a', given, 'latin1')).toEqual({ text, encoding });
      }),
    );
  });

  it('is refused for a file that is later written back in UTF-8', () => {
    const given = Buffer.from('\ufeffWhy?', 'utf16le');
    expect(() => decodeUtf8('a', given)).toThrow('a: UTF-16, not UTF-8 text; save it as UTF-8');
  });
});

describe('the option --encoding, which names the encoding of documents,', () => {
  it('decodes a document that is not UTF-8, and leaves UTF-8 alone', () => {
    const decode = (given: Buffer, name: string) => decodeDocument('a', given, readEncoding(name));
    expect(decode(toBytes('caf', 0xe9, ' ', 0x93, 0x80), 'latin1')).toEqual({
      text: 'café “€',
      encoding: 'windows-1252',
    });
    expect(decode(toBytes(0xa4), 'ISO-8859-15').text).toBe('€');
    expect(decode(toBytes(0x82, 0xa0), 'Shift_JIS').text).toBe('あ');
    expect(decode(toBytes(0x1b, '$B$"', 0x1b, '(B'), 'iso-2022-jp').text).toBe('あ');
    expect(decode(toBytes('a', 0, 'b', 0), 'utf-16le').text).toBe('ab');
    expect(decode(toBytes('\ufeffcafé'), 'latin1')).toEqual({ text: 'café' });
    expect(decode(toBytes('café'), 'shift_jis')).toEqual({ text: 'café' });
  });

  it('refuses bytes that stand for no character, and the error names the first such byte', () => {
    const given = toBytes('ab', 0x82, 0xa0, 0x82, 0x20, 'c');
    expect(() => decodeDocument('a', given, 'shift_jis')).toThrow('not shift_jis text: byte 6 is');
    expect(() => decodeDocument('a', toBytes('a', 0, 'b'), 'windows-1252')).toThrow('binary');
  });

  it('is suggested by the error about a text that is not UTF-8, unless an encoding was already named', () => {
    const catchError = (given: Buffer, named?: string): unknown => {
      try {
        return decodeDocument('a', given, named);
      } catch (error) {
        return error;
      }
    };
    expect(catchError(toBytes('caf', 0xe9))).toMatchObject({
      message: 'a: not UTF-8 text: byte 4 is 0xe9',
      next: expect.stringContaining('--encoding windows-1252'),
    });
    expect(catchError(toBytes('a', 0))).toMatchObject({ next: undefined });
    expect(catchError(toBytes('caf', 0xe9), 'utf-8')).toMatchObject({ next: undefined });
  });

  it('accepts Latin1, a name that the web uses for windows-1252, and refuses an unknown name', () => {
    expect(readEncoding('Latin1')).toBe('windows-1252');
    expect(() => readEncoding('klingon')).toThrow('"klingon" is not a known encoding');
  });
});

describe('command-line arguments', () => {
  const node = Buffer.from('node');

  it('are refused with the first bad byte if they are not UTF-8', () => {
    const raw = [node, toBytes('Why'), toBytes('caf', 0xe9)];
    expect(() => refuseLostBytes(['Why', 'caf\ufffd'], raw)).toThrow(
      '"caf\ufffd" is not UTF-8 text: byte 4 is 0xe9',
    );
  });

  it('may contain U+FFFD if their original bytes contain it, and are refused if the original bytes are unknown', () => {
    const word = 'What is \ufffd?';
    refuseLostBytes([word], [node, Buffer.from(word)]);
    refuseLostBytes(['anything else'], null);
    expect(() => refuseLostBytes([word], null)).toThrow('may replace lost bytes');
  });
});

describe('a text that is typed in an editor', () => {
  it('is refused if it is not UTF-8; its file is then kept', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    expect(await editText('Why?', { EDITOR: `printf 'caf\\303\\251' >` })).toBe('café');
    expect(readdirSync(folder)).toEqual([]);
    const refused = editText('Why?', { EDITOR: `printf 'caf\\351' >` });
    await expect(refused).rejects.toThrow('question.md: not UTF-8 text: byte 4 is 0xe9');
    vi.unstubAllEnvs();
    const [kept = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, kept, 'question.md'))).toEqual(toBytes('caf', 0xe9));
  });
});
