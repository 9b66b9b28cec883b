/** Schemas of sentences that others may believe, deny or cite. */
import * as z from 'zod';
import { hasContent } from '../../../text/words/has-content.ts';
import { repeatsWords } from '../../../text/words/repeats-words.ts';

const EMPTY = 'it says nothing: write a whole sentence';
const REPEATS = 'it says the same words over and over';

/**
 * Returns the schema of a text of at most `max` characters that must have content. Texts that consist only of signs,
 * common words (`is the`) or ids of records (`C-1-2`), and texts that repeat the same words over and over, are
 * refused, so the model is asked again.
 */
export function makeStatementSchema(max: number): z.ZodType<string> {
  return z.string().min(1).max(max).refine(hasContent, EMPTY).refine(isVaried, REPEATS);
}

/**
 * Returns the schema of a text of at most `max` characters that may be empty. Any other text must have content, as for
 * `makeStatementSchema`.
 */
export function optionalStatement(max: number): z.ZodType<string> {
  return z
    .string()
    .max(max)
    .refine((text) => text === '' || hasContent(text), EMPTY)
    .refine(isVaried, REPEATS);
}

function isVaried(text: string): boolean {
  return !repeatsWords(text);
}
