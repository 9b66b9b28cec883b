/** What a reader of one kind of document is given, and how it says that it cannot read it. */

export interface Input {
  readonly bytes: Uint8Array;
  readonly mediaType?: string | undefined;
  readonly address?: string | undefined;
}

/** A document that cannot be read; the message is a sentence that goes after its name. */
export class Unreadable extends Error {
  readonly because: string;

  constructor(because: string, why: string) {
    super(why);
    this.name = 'Unreadable';
    this.because = because;
  }
}
