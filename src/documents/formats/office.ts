/** Detects which kind of office document an archive is, and calls the reader for that kind. */
import type { ReadText } from '../read-text.ts';
import { namesIn, unpackZip } from './archive.ts';
import { type Input, UnreadableError } from './input.ts';

/** How many bytes of an OpenDocument's `mimetype` file are read. */
const MOST_OF_TYPE = 200;

/**
 * Reads a text, workbook or presentation of Microsoft Office or OpenDocument.
 *
 * @throws UnreadableError if the archive is no such document or cannot be read
 */
export async function readOffice(input: Input): Promise<ReadText> {
  const { bytes } = input;
  const names = new Set(namesIn(bytes));
  if (names.has('word/document.xml')) return (await import('./word.ts')).readWord(input);
  if (names.has('xl/workbook.xml')) return (await import('./sheets.ts')).readSheets(input);
  if (names.has('ppt/presentation.xml')) return (await import('./slides.ts')).readSlides(input);
  const type = new TextDecoder()
    .decode(
      unpackZip(bytes, (name) => name === 'mimetype')
        .get('mimetype')
        ?.subarray(0, MOST_OF_TYPE),
    )
    .trim();
  if (/^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)/.test(type))
    return (await import('./open-document.ts')).readOpenDocument(input, type);
  if (names.has('META-INF/manifest.xml') && names.has('content.xml'))
    return (await import('./open-document.ts')).readOpenDocument(input, '');
  const what =
    type === 'application/epub+zip'
      ? 'an EPUB book, which cannot be read'
      : [...names].some((name) => /^(?:xl|word|ppt)\//.test(name))
        ? 'an office document of a kind that cannot be read; save it as .docx, .xlsx or .pptx'
        : 'a zip archive and no document; attach the files in it';
  throw new UnreadableError('unsupported', what);
}
