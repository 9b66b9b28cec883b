import * as z from 'zod';

/**
 * Returns a schema for a text that should be one of the ids. Providers get the list of ids and can
 * enforce it. The parser accepts any text, because one wrong id must not invalidate the rest of an
 * answer; the caller checks the ids.
 */
export function makeChoiceSchema(ids: readonly string[]) {
  return ids.length === 0 ? z.string() : z.string().meta({ enum: [...ids] });
}
