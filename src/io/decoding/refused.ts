/** The error for input that is refused. */
import { UsageError } from '../../kernel/errors.ts';

/** Thrown if a file is refused. `why` is a sentence that follows the file's name. */
export class Refused extends UsageError {
  readonly why: string;

  /** @param next what a person can do about the refusal */
  constructor(file: string, why: string, next?: string) {
    super(`${file}: ${why}`, next);
    this.name = 'Refused';
    this.why = why;
  }
}
