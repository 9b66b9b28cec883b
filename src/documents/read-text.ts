/** The result of the process that reads a document, and the size limit of its text. */
import type { Part } from '../text/documents/parts.ts';
import type { DocumentKind } from './kinds.ts';

/** Maximum size of the text of a document or attachment, in bytes of UTF-8. */
export const MOST_TEXT_BYTES = 1024 * 1024;

/** The text of a document, and how it was read. */
export interface ReadText {
  readonly kind: DocumentKind;
  readonly text: string;
  /** The parts that can be cited by name, such as pages, slides or sheets. */
  readonly parts: readonly Part[];
  /** The library that read the document. */
  readonly extractor: { readonly name: string; readonly version: string };
  /** The encoding of the bytes; undefined for UTF-8 and for formats that define their own. */
  readonly encoding?: string | undefined;
  /** Phrases on what the text lacks, and how it was read. */
  readonly notes: readonly string[];
  readonly title?: string | undefined;
  readonly date?: string | undefined;
}

/** The answer of the process that reads a document: the text, or the reason why there is none. */
export type Reading =
  | { readonly read: ReadText }
  | { readonly refused: { readonly because: string; readonly why: string } };
