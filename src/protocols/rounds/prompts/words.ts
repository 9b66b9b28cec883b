/** Words that a seat or the verifier owes: in the schemas that are asked for, and as they are read. */
import * as z from 'zod';
import { sanitise } from '../../../text/sanitise.ts';
import { says } from '../records/said.ts';

/** Something that can be read, also once it is cleaned for a terminal. */
export const words = z
  .string()
  .min(1)
  .refine((text) => says(sanitise(text)), 'there is nothing in it that can be read');

/** The same in an answer on record: it was accepted by the rule of its day, and a replay reads it so. */
export const recordedWords = z.string().min(1);

/**
 * A text that is to be one of these: the schema that is sent says so, and a provider that enforces
 * schemas keeps to it. Read is any: code looks up what exists, so that one wrong id spoils nothing else.
 */
export function oneOf(ids: readonly string[]) {
  return ids.length === 0 ? z.string() : z.string().meta({ enum: [...ids] });
}

/** Either of the two: what a schema is made with. */
export type Words = z.ZodType<string>;
