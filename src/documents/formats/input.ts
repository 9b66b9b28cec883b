/** The input of a reader for one kind of document, and the error with which it refuses a document. */

export interface Input {
  readonly bytes: Uint8Array;
  readonly mediaType?: string | undefined;
  readonly address?: string | undefined;
  /** The encoding that a person has named. */
  readonly encoding?: string | undefined;
}

/** Thrown if a document cannot be read. The message is a sentence that follows the document's name. */
export class Unreadable extends Error {
  readonly because: string;

  constructor(because: string, why: string) {
    super(why);
    this.name = 'Unreadable';
    this.because = because;
  }
}
