import * as z from 'zod';

/**
 * Returns a schema for a text that should be one of the ids. The schema that is sent lists them, so that
 * providers can enforce it; but any text is accepted, so that one wrong id does not spoil the rest of an
 * answer. Code looks the ids up.
 */
export function oneOf(ids: readonly string[]) {
  return ids.length === 0 ? z.string() : z.string().meta({ enum: [...ids] });
}
