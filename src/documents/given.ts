/** The input of document extraction, and the error with which a document is refused. */
import { NAME_ENCODING } from '../io/decoding/decode.ts';
import { Refused } from '../io/decoding/refused.ts';

/** Maximum size of a document, in bytes. */
export const MOST_DOCUMENT_BYTES = 64 * 1024 * 1024;

export interface Given {
  /** The document's name in error messages: a path or an address. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /**
   * The server's `Content-Type`, such as `text/html; charset=utf-8`. Bytes that show their kind outweigh
   * it.
   */
  readonly mediaType?: string | undefined;
  /** The address that the document was fetched from, for the links in the document. */
  readonly address?: string | undefined;
  /** The encoding that a person has named for text that is not UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether HTML stays as it is written, for readers of source code. */
  readonly source?: boolean | undefined;
}

/** The reason why a document was refused, for callers that have to distinguish. */
export type RefusedBecause =
  | 'damaged'
  | 'encoding'
  | 'memory'
  | 'no-text'
  | 'password'
  | 'time'
  | 'too-long'
  | 'unsupported';

/** Thrown if a document is refused. `why` is a sentence that follows the document's name. */
export class DocumentRefused extends Refused {
  readonly because: RefusedBecause;

  constructor(name: string, because: RefusedBecause, why: string) {
    super(name, why, because === 'encoding' ? NAME_ENCODING : undefined);
    this.name = 'DocumentRefused';
    this.because = because;
  }
}
