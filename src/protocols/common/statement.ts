/** The schemas of sentences that others may believe, deny or cite. */
import * as z from 'zod';
import { hasContent } from '../../text/words/has-content.ts';

const EMPTY = 'it says nothing: write a whole sentence';

/**
 * Returns the schema of a statement of at most `max` characters. An answer with a statement that says
 * nothing is asked for again; one on record was accepted by the rules of its day (see `askForm`).
 */
export function statement(max: number): z.ZodType<string> {
  return z.string().min(1).max(max).refine(hasContent, EMPTY);
}

/** Returns the same for a field that may be left empty. */
export function optionalStatement(max: number): z.ZodType<string> {
  return z
    .string()
    .max(max)
    .refine((text) => text === '' || hasContent(text), EMPTY);
}
