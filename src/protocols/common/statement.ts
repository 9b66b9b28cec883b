/** Schemas of sentences that others may believe, deny or cite. */
import * as z from 'zod';
import { hasContent } from '../../text/words/has-content.ts';

const EMPTY = 'it says nothing: write a whole sentence';

/**
 * Returns the schema of a text of at most `max` characters that must have content. Empty phrases
 * such as `none` are refused, so the model is asked again.
 */
export function statement(max: number): z.ZodType<string> {
  return z.string().min(1).max(max).refine(hasContent, EMPTY);
}

/** Returns the schema of a text of at most `max` characters that may be empty. */
export function optionalStatement(max: number): z.ZodType<string> {
  return z
    .string()
    .max(max)
    .refine((text) => text === '' || hasContent(text), EMPTY);
}
