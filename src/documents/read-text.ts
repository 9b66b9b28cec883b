/** The result of the process that reads a document, and the size limit of its text. */
import type { Part } from '../text/documents/parts.ts';
import type { DocumentKind } from './kinds.ts';

/** Maximum size of a text in UTF-8 bytes, which is also that of an attachment. */
export const MOST_TEXT_BYTES = 1024 * 1024;

export interface ReadText {
  readonly kind: DocumentKind;
  readonly text: string;
  readonly parts: readonly Part[];
  readonly extractor: { readonly name: string; readonly version: string };
  /** The encoding of the bytes; undefined for UTF-8 and for formats that define their own. */
  readonly encoding?: string | undefined;
  readonly notes: readonly string[];
  readonly title?: string | undefined;
  readonly date?: string | undefined;
}

/** The message of the process: a text, or why there is none. */
export type Reading =
  | { readonly read: ReadText }
  | { readonly refused: { readonly because: string; readonly why: string } };
