/** The input of a reader for one kind of document, and the error with which it refuses a document. */

/** The bytes of a document, and what is known about them. */
export interface Input {
  readonly bytes: Uint8Array;
  /** The server's `Content-Type`; absent for a local file. */
  readonly mediaType?: string | undefined;
  /** The address that the document was fetched from; absent for a local file. */
  readonly address?: string | undefined;
  /** The encoding that a person has named. */
  readonly encoding?: string | undefined;
}

/**
 * Thrown if a document cannot be read. The message is the reason in words, without the document's
 * name, which the caller puts before it.
 */
export class UnreadableError extends Error {
  /** The kind of reason, one of `RefusedBecause` such as `no-text`. */
  readonly because: string;

  /** Expects the kind of reason, and the reason in words, which becomes the message. */
  constructor(because: string, why: string) {
    super(why);
    this.name = 'Unreadable';
    this.because = because;
  }
}
