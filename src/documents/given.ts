/** A document as it is handed in, and how it is refused. */
import { Refused } from '../io/decoding/refused.ts';

/** What is taken of a document: more is no longer a document that seats can read. */
export const MOST_DOCUMENT_BYTES = 64 * 1024 * 1024;

export interface Given {
  /** How it is called in errors: a path, or an address. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What a server said of it, such as `text/html; charset=utf-8`. Bytes that tell their kind count more. */
  readonly mediaType?: string | undefined;
  /** Where it was fetched from, for the links in it. */
  readonly address?: string | undefined;
  /** What text that is not UTF-8 is in, as a person has named it. */
  readonly encoding?: string | undefined;
  /** Whether markup is kept as it is: for readers of source code. */
  readonly source?: boolean | undefined;
}

/** Why a document was not read, for whoever has to tell these apart. */
export type RefusedBecause =
  | 'damaged'
  | 'memory'
  | 'no-text'
  | 'password'
  | 'time'
  | 'too-long'
  | 'unsupported';

/** A document that was not read; `why` is a sentence that goes after its name. */
export class DocumentRefused extends Refused {
  readonly because: RefusedBecause;

  constructor(name: string, because: RefusedBecause, why: string) {
    super(name, why);
    this.name = 'DocumentRefused';
    this.because = because;
  }
}
