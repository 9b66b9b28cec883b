/** The error for input that is refused. */
import { UsageError } from '../../kernel/errors.ts';

/** What to do about reasons that are given without advice, by the beginning of the reason. */
const ADVICE: readonly (readonly [reason: string, next: string])[] = [
  ['no such file', 'Check its name.'],
  ['is a folder', 'Name a file in it.'],
];

/** Thrown if a file, a folder or a web page cannot or must not be read. */
export class RefusedFileError extends UsageError {
  /** The reason, in words that follow the file's name: "is a folder". */
  readonly why: string;

  /**
   * Creates the error.
   *
   * @param file the file's name
   * @param why the reason, in words that follow the file's name: "is a folder"
   * @param next advice to the person; default: the usual one for the reason, if there is one
   */
  constructor(file: string, why: string, next?: string) {
    super(`${file}: ${why}`, next ?? ADVICE.find(([reason]) => why.startsWith(reason))?.[1]);
    this.name = 'Refused';
    this.why = why;
  }
}
