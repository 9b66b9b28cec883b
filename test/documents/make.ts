/** Makes small documents of several formats for tests. */
import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** The content of a PDF. */
interface PdfOptions {
  /** The lines of each page. A page without lines is empty. */
  readonly pages: readonly (readonly string[])[];
  /** The content stream of every page in place of its lines, with entries for the stream's dictionary. */
  readonly content?: { readonly bytes: Buffer; readonly entries: string };
  /** More objects of the file, by number from 100 on. */
  readonly objects?: Readonly<Record<number, string>>;
  /** More entries of the catalog. */
  readonly catalog?: string;
  /** More entries of the trailer. */
  readonly trailer?: string;
  /** The font's object in place of Helvetica. */
  readonly font?: string;
}

/** Makes a PDF with uncompressed text and a plain table of its objects, as simple programs write PDFs. */
export function makePdf({
  pages,
  content,
  objects = {},
  catalog = '',
  trailer = '',
  font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
}: PdfOptions): Buffer {
  const first = 1000;
  const all = new Map<number, Buffer>([
    [1, Buffer.from(`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`)],
    [
      2,
      Buffer.from(
        `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] >>`,
      ),
    ],
    [3, Buffer.from(font)],
    ...Object.entries(objects).map(([id, text]): [number, Buffer] => [
      Number(id),
      Buffer.from(text, 'latin1'),
    ]),
  ]);
  for (const [at, lines] of pages.entries()) {
    const id = first + 2 * at;
    all.set(
      id,
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> /Contents ${id + 1} 0 R >>`,
      ),
    );
    const drawn = lines.map(
      (line, row) => `BT /F 12 Tf 72 ${720 - 16 * row} Td ${toPdfString(line)} Tj ET`,
    );
    const { bytes, entries } = content ?? {
      bytes: Buffer.from(drawn.join('\n'), 'latin1'),
      entries: '',
    };
    all.set(
      id + 1,
      Buffer.concat([
        Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    );
  }
  const parts = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const rows: string[] = [];
  for (const [id, body] of all) {
    rows.push(`${id} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
    const part = Buffer.concat([Buffer.from(`${id} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(part);
    at += part.length;
  }
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${Math.max(...all.keys()) + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Returns a line as a PDF string, `(text)`; a line that is `<hex>` stays as it is. */
function toPdfString(line: string): string {
  return /^<[\da-f]+>$/i.test(line) ? line : `(${line.replace(/[\\()]/g, '\\$&')})`;
}

/**
 * Returns the content stream of a PDF that has a few kilobytes and unpacks to this many megabytes, and the
 * entries of the stream's dictionary.
 */
export function makeInflatingStream(megabytes: number): { bytes: Buffer; entries: string } {
  const inner = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 9 });
  return {
    bytes: deflateSync(inner, { level: 9 }),
    entries: '/Filter [/FlateDecode /FlateDecode]',
  };
}

/** Makes a zip archive of files, given by their paths. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [
          name,
          typeof text === 'string' ? strToU8(text) : text,
        ]),
      ),
    ),
  );
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/**
 * Makes a Word document.
 *
 * @param body The XML of its body.
 * @param more Other files in the archive, by path.
 */
export function makeDocx(
  body: string,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Buffer {
  return makeZip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/**
 * Returns the XML of a paragraph of a Word document.
 *
 * @param style The id of a style, such as `Heading1`; an empty text for none.
 */
export function makeParagraph(text: string, style = ''): string {
  const properties = style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A sheet of an Excel workbook. */
interface Sheet {
  readonly name: string;
  /** The XML of the rows. */
  readonly rows: string;
  readonly state?: string;
}

/**
 * Makes an Excel workbook.
 *
 * @param more Other files in the archive, by path.
 */
export function makeXlsx(
  sheets: readonly Sheet[],
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const entries = sheets.map(
    ({ name, state = 'visible' }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="r${at + 1}"/>`,
  );
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => `<Relationship Id="r${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });
}
