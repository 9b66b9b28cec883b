/**
 * Extracts text that can be cited from documents: PDF, Word, OpenDocument, PowerPoint, Excel and web pages.
 * Other folders import this file. The kind of a document is told from its bytes. Plain text is decoded
 * here; every other kind is read in a separate process (`reading.ts`) with limits on time, memory and
 * output, by libraries that are loaded nowhere else (`formats/`). `notes` tells people what could not be
 * read.
 */
import { createHash } from 'node:crypto';
import { decodeDocument } from '../io/decoding/decode.ts';
import type { Part } from '../text/documents/parts.ts';
import { type DocumentInput, DocumentRefused } from './given.ts';
import { type DocumentKind, findUnreadable, kindOf } from './kinds.ts';
import { readInProcess, readInProcessSync } from './reading.ts';

interface Extracted {
  readonly kind: DocumentKind;
  /** The text of the document. Its lines end in LF, except that plain text keeps its line ends. */
  readonly text: string;
  /** Pages, slides or sheets in order; empty if lines are numbered through the whole text. */
  readonly parts: readonly Part[];
  /** The library that extracted the text; undefined if the document is plain text. */
  readonly extractor: { readonly name: string; readonly version: string } | undefined;
  /** The encoding of the bytes; undefined for UTF-8. */
  readonly encoding?: string | undefined;
  /** Digest of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Sentences about what the text lacks, without a full stop at the end. */
  readonly notes: readonly string[];
  readonly title?: string | undefined;
  /** The date that the document states; an ISO date if the statement can be parsed. */
  readonly date?: string | undefined;
}

/**
 * Returns the text of a document of any kind.
 *
 * @throws DocumentRefused if the document cannot be read, and RefusedFileError if its plain text does not fit the
 *   encoding
 */
export async function extractDocument(given: DocumentInput): Promise<Extracted> {
  const kind = kindToRead(given);
  return kind === 'text' ? decodeText(given) : addHash(given, await readInProcess(kind, given));
}

/**
 * Returns the text of a document as `extractDocument` does, but blocks the whole program meanwhile.
 */
export function extractDocumentSync(given: DocumentInput): Extracted {
  const kind = kindToRead(given);
  return kind === 'text' ? decodeText(given) : addHash(given, readInProcessSync(kind, given));
}

/**
 * Returns the kind that a document is read as. With `source`, HTML is read as text.
 *
 * @throws DocumentRefused if the first bytes show a kind that cannot be read
 */
function kindToRead(given: DocumentInput): DocumentKind {
  const { bytes, mediaType, source = false } = given;
  const unread = findUnreadable(bytes);
  if (unread !== undefined) throw new DocumentRefused(given, unread.because, unread.why);
  const kind = kindOf(bytes, mediaType);
  return source && kind === 'html' ? 'text' : kind;
}

function decodeText(given: DocumentInput): Extracted {
  const { text, encoding } = decodeDocument(given.name, given.bytes, given.encoding);
  return addHash(given, {
    kind: 'text',
    text,
    parts: [],
    extractor: undefined,
    encoding,
    notes: [],
  });
}

function addHash({ bytes }: DocumentInput, read: Omit<Extracted, 'sha256'>): Extracted {
  return { ...read, sha256: createHash('sha256').update(bytes).digest('hex') };
}
