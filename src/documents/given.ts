/** The input of document extraction, and the error with which a document is refused. */
import { NAME_ENCODING } from '../io/decoding/decode.ts';
import { RefusedFileError } from '../io/decoding/refused.ts';

/** Maximum size of a document, in bytes. */
export const MOST_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** A document to extract text from, and what is known about its format. */
export interface DocumentInput {
  /** The document's name in error messages: a path or an address. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /**
   * The server's `Content-Type`, such as `text/html; charset=utf-8`. Its type does not count if the bytes
   * themselves show the document's kind. Its charset counts for a web page.
   */
  readonly mediaType?: string | undefined;
  /** The address that the document was fetched from, for the links in the document. */
  readonly address?: string | undefined;
  /** The encoding that a person has named for text that is not UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether an HTML page is read as its source code, not as the text that a browser shows. */
  readonly source?: boolean | undefined;
}

/** Why a document was refused, for callers that react to each reason differently. */
export type RefusedBecause =
  | 'damaged'
  | 'encoding'
  | 'memory'
  | 'no-text'
  | 'password'
  | 'time'
  | 'too-long'
  | 'unsupported';

const TAKE_PART = 'Attach a part of it, or its text.';
/** What a person can do about a refusal, unless its sentence says so. */
const NEXT: Readonly<Partial<Record<RefusedBecause, string>>> = {
  damaged: 'Get the file again, or save it anew in the program that wrote it.',
  encoding: NAME_ENCODING,
  memory: TAKE_PART,
  time: TAKE_PART,
  'too-long': TAKE_PART,
};
/** The same for a web page: a browser may show the text that this program does not get. */
const NEXT_FOR_PAGE: typeof NEXT = {
  'no-text': 'Save the page in a browser, and attach the file.',
};

/**
 * Thrown if a document is refused. `why` is the reason in words, without the document's name, which
 * the error's message puts before it.
 */
export class DocumentRefused extends RefusedFileError {
  readonly because: RefusedBecause;

  constructor(
    { name, address }: Pick<DocumentInput, 'name' | 'address'>,
    because: RefusedBecause,
    why: string,
  ) {
    super(name, why, (address === undefined ? undefined : NEXT_FOR_PAGE[because]) ?? NEXT[because]);
    this.name = 'DocumentRefused';
    this.because = because;
  }
}
