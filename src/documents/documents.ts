/**
 * Documents as text that can be cited: PDF, Word, OpenDocument, PowerPoint, Excel and web pages. This is the
 * door of the room. What kind a document is, its bytes say. Plain text is decoded here; everything else is
 * read in a process of its own (`reading.ts`), within limits of time, memory and output, by libraries that
 * are loaded nowhere else (`formats/`). What could not be read of it stands in `notes`, for people.
 */
import { createHash } from 'node:crypto';
import { decodeDocument } from '../io/decoding/decode.ts';
import type { Part } from '../text/documents/parts.ts';
import { DocumentRefused, type Given } from './given.ts';
import { type DocumentKind, kindOf, unreadKind } from './kinds.ts';
import { readInProcess, readInProcessSync } from './reading.ts';

interface Extracted {
  readonly kind: DocumentKind;
  /** Lines that end in LF. */
  readonly text: string;
  /** Its pages, slides or sheets, in their order; empty where lines are counted through. */
  readonly parts: readonly Part[];
  /** Who made the text; undefined of what was text already. */
  readonly extractor: { readonly name: string; readonly version: string } | undefined;
  /** What a text's bytes were decoded from; undefined for UTF-8. */
  readonly encoding?: string | undefined;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Sentences about what the text lacks, without a full stop at the end. */
  readonly notes: readonly string[];
  readonly title?: string | undefined;
  /** As the document says it; an ISO date where it can be read as one. */
  readonly date?: string | undefined;
}

/**
 * Returns the text of a document, whatever its kind.
 *
 * @throws DocumentRefused where it cannot be read, and Refused where it is text in another encoding.
 */
export async function extractDocument(given: Given): Promise<Extracted> {
  const kind = kindToRead(given);
  return kind === 'text' ? decoded(given) : withHash(given, await readInProcess(kind, given));
}

/** The same, for who cannot wait otherwise; nothing else happens meanwhile. */
export function extractDocumentSync(given: Given): Extracted {
  const kind = kindToRead(given);
  return kind === 'text' ? decoded(given) : withHash(given, readInProcessSync(kind, given));
}

/** @throws DocumentRefused where its first bytes say that nobody here reads it */
function kindToRead({ name, bytes, mediaType, source = false }: Given): DocumentKind {
  const unread = unreadKind(bytes);
  if (unread !== undefined) throw new DocumentRefused(name, unread.because, unread.why);
  const kind = kindOf(bytes, mediaType);
  return source && kind === 'html' ? 'text' : kind;
}

function decoded(given: Given): Extracted {
  const { text, encoding } = decodeDocument(given.name, given.bytes, given.encoding);
  return withHash(given, {
    kind: 'text',
    text,
    parts: [],
    extractor: undefined,
    encoding,
    notes: [],
  });
}

function withHash({ bytes }: Given, read: Omit<Extracted, 'sha256'>): Extracted {
  return { ...read, sha256: createHash('sha256').update(bytes).digest('hex') };
}
