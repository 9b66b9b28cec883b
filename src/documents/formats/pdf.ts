/** Reads the text of a PDF page by page, in the order of the file. */

import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Part } from '../../text/documents/parts.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import { MOST_TEXT_BYTES, type ReadText } from '../read-text.ts';
import { type Input, UnreadableError } from './input.ts';
import { isNonsense } from './nonsense.ts';
import { linesOfPage, type PageItem } from './page-lines.ts';
import { formatNumbers, tidyLines } from './words.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Numbers of the pages without readable text. */
interface Lacking {
  readonly empty: number[];
  readonly nonsense: number[];
}

/**
 * Reads the text of a PDF, each page as a part.
 *
 * @throws UnreadableError if the PDF cannot be read or has no readable text
 */
export async function readPdf({ bytes }: Input): Promise<ReadText> {
  const pdf = await openPdf(bytes);
  const { version } = await getResolvedPDFJS();
  const lines: string[] = [];
  const parts: Part[] = [];
  const lacking: Lacking = { empty: [], nonsense: [] };
  let left = MOST_TEXT_BYTES;
  let read = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const found = await pageLines(pdf, number);
    left -= found.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    if (left < 0) break;
    read = number;
    if (found.length === 0) lacking.empty.push(number);
    else if (isNonsense(found)) lacking.nonsense.push(number);
    parts.push({ name: `p${number}`, from: lines.length + 1 });
    lines.push(...found);
  }
  if (lines.length === 0) throw noTextError(pdf.numPages, read);
  const { title, date } = await readMetadata(pdf);
  return {
    kind: 'pdf',
    text: `${lines.join('\n')}\n`,
    parts,
    extractor: { name: 'pdf.js (unpdf)', version },
    notes: listNotes(pdf.numPages, read, lacking),
    title,
    date,
  };
}

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      stopAtErrors: false,
      verbosity: 0,
    });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException')
      throw new UnreadableError('password', 'it is protected with a password; save it without one');
    throw new UnreadableError('damaged', 'a damaged PDF: it may have been cut off');
  }
}

async function pageLines(pdf: Pdf, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent({ includeMarkedContent: false });
  const lines = tidyLines(linesOfPage(items as readonly PageItem[]));
  page.cleanup();
  return lines;
}

function noTextError(pages: number, read: number): UnreadableError {
  if (read === 0 && pages > 0)
    return new UnreadableError('too-long', 'its first page is longer than 1 MB');
  return new UnreadableError(
    'no-text',
    `a scan: ${pages === 1 ? 'its only page holds' : `all of its ${pages} pages hold`} pictures and no text; make its text readable first, for example with ocrmypdf`,
  );
}

function listNotes(pages: number, read: number, { empty, nonsense }: Lacking): string[] {
  return withoutFalse([
    read < pages &&
      `only pages 1–${read} of ${pages} were read: the text of more is longer than 1 MB`,
    empty.length > 0 &&
      `${formatNumbers('page', empty)} no text, at most pictures; nothing of them can be cited`,
    nonsense.length > 0 &&
      `${formatNumbers('page', nonsense)} text that reads as nonsense: its fonts do not say which letters their signs are; ocrmypdf --force-ocr can mend that`,
  ]);
}

async function readMetadata(
  pdf: Pdf,
): Promise<{ title: string | undefined; date: string | undefined }> {
  try {
    const { info } = await pdf.getMetadata();
    const { Title, ModDate, CreationDate } = info as Record<string, unknown>;
    return { title: toText(Title), date: dateOf(toText(ModDate) ?? toText(CreationDate)) };
  } catch {
    // Metadata may be damaged even if the pages are intact, so go on without a title and a date.
    return { title: undefined, date: undefined };
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 300) : undefined;
}

/** Converts a PDF date such as `D:20240131…` to `2024-01-31`. Returns undefined for any other text. */
function dateOf(written: string | undefined): string | undefined {
  const [, year, month = '01', day = '01'] = /^D:(\d{4})(\d\d)?(\d\d)?/.exec(written ?? '') ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
