/**
 * Documents as text that can be cited: PDF, Word, OpenDocument, PowerPoint, Excel and web pages. This is the
 * door of the room. What kind a document is, its bytes say. Plain text is decoded here; everything else is
 * read in a process of its own (`reading.ts`), within limits of time, memory and output, by libraries that
 * are loaded nowhere else (`formats/`). What could not be read of it stands in `notes`, for people.
 */
import { createHash } from 'node:crypto';
import { decodeDocument } from '../io/decoding/decode.ts';
import type { Part } from '../text/documents/parts.ts';
import type { Given } from './given.ts';
import { type DocumentKind, kindOf } from './kinds.ts';
import type { ReadText } from './read-text.ts';

export { DocumentRefused, type Given, MOST_DOCUMENT_BYTES } from './given.ts';

export interface Extracted {
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
  const { name, bytes, source = false } = given;
  const kind = kindOf(bytes, given.mediaType);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (kind === 'text' || (source && kind === 'html')) {
    const { text, encoding } = decodeDocument(name, bytes, given.encoding);
    return {
      kind: 'text',
      text,
      parts: [],
      extractor: undefined,
      encoding,
      sha256,
      notes: [],
    };
  }
  const { readInProcess } = await import('./reading.ts');
  const read: ReadText = await readInProcess(kind, given);
  return { ...read, sha256 };
}
