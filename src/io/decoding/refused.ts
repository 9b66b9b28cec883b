/** The error for input that is refused. */
import { UsageError } from '../../kernel/errors.ts';

/** Thrown if a file cannot or must not be read. */
export class Refused extends UsageError {
  /** The reason, in words that follow the file's name: "is a folder". */
  readonly why: string;

  /**
   * Creates the error.
   *
   * @param file the file's name
   * @param next advice to the person
   */
  constructor(file: string, why: string, next?: string) {
    super(`${file}: ${why}`, next);
    this.name = 'Refused';
    this.why = why;
  }
}
