/**
 * Broken and hostile documents: each is read or refused with a reason, within the limits of time and memory.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractDocument } from '../../src/documents/documents.ts';
import { DocumentRefused, type RefusedBecause } from '../../src/documents/given.ts';
import { LONG } from '../long.ts';
import {
  makeDocx,
  makeInflatingStream,
  makeParagraph,
  makePdf,
  makeXlsx,
  makeZip,
} from './make.ts';

/** The most memory of the process that reads a document, in MiB. */
const MOST_MEMORY = 300;

interface Outcome {
  readonly text?: string;
  readonly notes?: readonly string[];
  readonly because?: RefusedBecause;
  readonly why?: string;
  /** What a person is told to do about the refusal. */
  readonly next?: string | undefined;
  /** The peak memory of the process that read the document, in MiB, as measured from outside. */
  readonly memory: number;
}

/** Reads a document, and measures the memory of the process that reads it. */
async function measureReading(
  name: string,
  bytes: Uint8Array,
  mediaType?: string,
): Promise<Outcome> {
  let memory = 0;
  // Leave out child processes of earlier tests, such as a program that waits for its next call.
  const before = new Set(childrenMemory().keys());
  const looking = setInterval(() => {
    for (const [pid, peak] of childrenMemory())
      if (!before.has(pid)) memory = Math.max(memory, peak);
  }, 25);
  try {
    const { text, notes } = await extractDocument({ name, bytes, mediaType });
    return { text, notes, memory };
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    return { because: error.because, why: error.why, next: error.next, memory };
  } finally {
    clearInterval(looking);
  }
}

/** Returns the peak memory of each child process in MiB, by its id; empty on systems without /proc. */
function childrenMemory(): Map<string, number> {
  const peaks = new Map<string, number>();
  for (const pid of existsSync('/proc') ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (new RegExp(`^PPid:\\t${process.pid}$`, 'm').test(status))
        peaks.set(pid, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return peaks;
}

/** Checks the limit of memory. The time limit of the test checks that reading ends in time. */
function expectBounded({ memory }: Outcome): void {
  expect(memory).toBeLessThanOrEqual(MOST_MEMORY);
}

const WORDS = Array.from(
  { length: 12 },
  (_, at) => `The standby lags behind the primary in row ${at}.`,
);

describe('a PDF', () => {
  it('is refused if it has a password', async () => {
    const key = `<${'ab'.repeat(32)}>`;
    const bytes = makePdf({
      pages: [WORDS],
      objects: { 100: `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -44 >>` },
      trailer: `/Encrypt 100 0 R /ID [${key} ${key}]`,
    });
    expect(await measureReading('locked.pdf', bytes)).toMatchObject({
      because: 'password',
      why: 'it is protected with a password; save it without one',
    });
  });

  it('is read in part, or refused as damaged, if half of it is missing', async () => {
    const whole = makePdf({ pages: Array.from({ length: 40 }, () => WORDS) });
    const cut = await measureReading('cut.pdf', whole.subarray(0, whole.length / 2));
    expectBounded(cut);
    if (cut.because === undefined) expect(cut.notes?.join(' ')).toMatch(/page/);
    else
      expect(cut).toMatchObject({ because: 'damaged', why: expect.stringMatching(/damaged PDF/) });
    expect(await measureReading('head.pdf', whole.subarray(0, 400))).toMatchObject({
      because: 'damaged',
      why: expect.stringMatching(/damaged PDF/),
      next: 'Get the file again, or save it anew in the program that wrote it.',
    });
  });

  it('of 5,000 pages is read up to a limit with a note on what was left out, or refused because reading takes too long', async () => {
    const bytes = makePdf({ pages: Array.from({ length: 5000 }, () => WORDS) });
    const read = await measureReading('long.pdf', bytes);
    expectBounded(read);
    if (read.because === undefined)
      expect(read.notes).toEqual([
        expect.stringMatching(
          /^only pages 1–\d+ of 5000 were read: the text of more is longer than 1 MB$/,
        ),
      ]);
    else expect(read.why).toMatch(/took longer than 20 s and was stopped/);
  });

  it('is refused within the memory limit if it inflates to gigabytes', async () => {
    const content = makeInflatingStream(1024);
    expect(content.bytes.length).toBeLessThan(20_000);
    const read = await measureReading('bomb.pdf', makePdf({ pages: [[]], content }));
    expectBounded(read);
    expect(['memory', 'time', 'damaged', 'no-text']).toContain(read.because);
    expect(read.why).not.toBe('');
    if (read.because === 'memory' || read.because === 'time')
      expect(read.next).toBe('Attach a part of it, or its text.');
  });

  it('gets a note if its font does not say which letters its shapes mean', async () => {
    // Shift every letter by three, as if the font numbered its letters differently without saying how.
    const moved = WORDS.map((line) =>
      line.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 3)),
    );
    const { notes } = await measureReading('moved.pdf', makePdf({ pages: [WORDS, moved] }));
    expect(notes).toEqual([
      'page 2 holds text that reads as nonsense: its fonts do not say which letters their signs are; ocrmypdf --force-ocr can mend that',
    ]);
  });

  it('is refused as a scan if none of its pages has text', async () => {
    expect(await measureReading('scan.pdf', makePdf({ pages: [[], [], []] }))).toMatchObject({
      because: 'no-text',
      why: expect.stringMatching(/^a scan: all of its 3 pages hold pictures .* ocrmypdf$/),
    });
  });

  it('is read without running its JavaScript or reading its attached files', async () => {
    const { text } = await measureReading(
      'active.pdf',
      makePdf({
        pages: [WORDS],
        catalog:
          '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /Names << /EmbeddedFiles << /Names [(a.txt) 100 0 R] >> >>',
        objects: { 100: '<< /Type /Filespec /F (secret-attachment.txt) >>' },
      }),
    );
    expect(text).toContain('The standby lags');
    expect(text).not.toMatch(/alert|secret-attachment/);
  });

  it('is read in the right order if its script runs from right to left', async () => {
    const hebrew = [...'שלום עולם'].reverse();
    const font =
      '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [100 0 R] /ToUnicode 101 0 R >>';
    const map = hebrew
      .map((sign, at) => `<${toHex(at + 1)}> <${toHex(sign.charCodeAt(0))}>`)
      .join('\n');
    const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${hebrew.length} beginbfchar\n${map}\nendbfchar endcmap end end`;
    const line = `<${hebrew.map((_, at) => toHex(at + 1)).join('')}>`;
    const bytes = makePdf({
      pages: [[line]],
      font,
      objects: {
        100: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor 102 0 R >>',
        101: `<< /Length ${cmap.length} >>\nstream\n${cmap}\nendstream`,
        102: '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 500 700] /ItalicAngle 0 /Ascent 700 /Descent 0 /CapHeight 700 /StemV 80 >>',
      },
    });
    expect((await measureReading('hebrew.pdf', bytes)).text).toBe('שלום עולם\n');
  });
});

function toHex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

describe('an office document', () => {
  it('is refused within the memory limit if one of its parts unpacks to 60 MB', async () => {
    const bytes = makeDocx(makeParagraph('small'), {
      'word/footnotes.xml': new Uint8Array(60 * 1024 * 1024).fill(32),
    });
    expect(bytes.length).toBeLessThan(200_000);
    const read = await measureReading('bomb.docx', bytes);
    expectBounded(read);
    expect(read).toMatchObject({
      because: 'too-long',
      why: 'its part word/footnotes.xml unpacks to more than is read',
    });
  });

  it('is refused if it understates the sizes of its parts', async () => {
    const bytes = makeDocx(`${makeParagraph('The standby lags.').repeat(200_000)}`);
    // Falsify the unpacked sizes in the directory at the end of the archive.
    for (
      let at = bytes.indexOf('PK\u0001\u0002', 0, 'latin1');
      at >= 0;
      at = bytes.indexOf('PK\u0001\u0002', at + 4, 'latin1')
    )
      bytes.writeUInt32LE(64, at + 24);
    const read = await measureReading('liar.docx', bytes);
    expectBounded(read);
    expect(read.because).toBeDefined();
  });

  it('is refused if its XML declares external entities', async () => {
    const bytes = makeDocx('', {
      'word/document.xml':
        '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>',
    });
    expect(await measureReading('entities.docx', bytes)).toMatchObject({
      because: 'unsupported',
      why: 'its XML declares entities, which no office program writes, so it is not read; save it anew in one',
    });
  });

  it.each([
    ['WordDocument', 'unsupported', 'an old Word file, which cannot be read; save it as .docx'],
    ['EncryptedPackage', 'password', 'it is protected with a password; save it without one'],
  ])(
    'is refused with a reason if its old binary format contains %s',
    async (inside, because, why) => {
      const bytes = Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(504),
        Buffer.from(inside, 'utf16le'),
      ]);
      expect(await measureReading('memo.docx', bytes)).toMatchObject({ because, why });
    },
  );

  it('is refused if it is only a zip archive, or is cut off', async () => {
    expect(await measureReading('a.docx', makeZip({ 'a.txt': 'text' }))).toMatchObject({
      because: 'unsupported',
      why: 'a zip archive and no document; attach the files in it',
    });
    const whole = makeDocx(makeParagraph('The standby lags.'));
    expect(await measureReading('cut.docx', whole.subarray(0, whole.length / 2))).toMatchObject({
      because: 'damaged',
    });
  });

  it('becomes a short text if a million empty rows lie between its rows', async () => {
    const makeRow = (row: number): string =>
      `<row r="${row}"><c r="A${row}" t="str"><v>here</v></c></row>`;
    const { text, notes } = await measureReading(
      'sparse.xlsx',
      makeXlsx([{ name: 'S', rows: makeRow(1) + makeRow(1_048_576) }]),
    );
    expect(text).toBe('| here |\n');
    expect(notes).toEqual(['of the sheet "S" rows far below the others were left out']);
  });
});

describe('a web page', () => {
  it('that is nested tens of thousands deep is read, or refused with a reason', async () => {
    // With 100,000 nested elements, reading lasts until its time limit, so only the long tests use as many.
    const open = '<div>'.repeat(LONG ? 100_000 : 20_000);
    const bytes = Buffer.from(`<!doctype html><html><body>${open}The standby lags.</body></html>`);
    const read = await measureReading('deep.html', bytes);
    expectBounded(read);
    expect(read.text ?? read.why).toMatch(
      /standby lags|could not be read|memory|took longer|took too long/,
    );
  });
});
