/** What people handed in and was not taken. */
import { UsageError } from '../../kernel/errors.ts';

/** Why a file was refused: a sentence that goes after its name. */
export class Refused extends UsageError {
  readonly why: string;

  /** `next`: what a person can do about it. */
  constructor(file: string, why: string, next?: string) {
    super(`${file}: ${why}`, next);
    this.name = 'Refused';
    this.why = why;
  }
}
