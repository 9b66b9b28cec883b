import * as z from 'zod';

/**
 * A text that is to be one of these: the schema that is sent says so, and a provider that enforces
 * schemas keeps to it. Read is any: code looks up what exists, so that one wrong id spoils nothing else.
 */
export function oneOf(ids: readonly string[]) {
  return ids.length === 0 ? z.string() : z.string().meta({ enum: [...ids] });
}
