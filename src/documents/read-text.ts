/** What a process that reads a document hands back, and how much of it there may be. */
import type { Part } from '../text/documents/parts.ts';
import type { DocumentKind } from './kinds.ts';

/** UTF-8 bytes of text: what an attachment may have. */
export const MOST_TEXT_BYTES = 1024 * 1024;

export interface ReadText {
  readonly kind: DocumentKind;
  readonly text: string;
  readonly parts: readonly Part[];
  readonly extractor: { readonly name: string; readonly version: string };
  readonly notes: readonly string[];
  readonly title?: string | undefined;
  readonly date?: string | undefined;
}

/** What the process says: a text, or why there is none. */
export type Reading =
  | { readonly read: ReadText }
  | { readonly refused: { readonly because: string; readonly why: string } };
