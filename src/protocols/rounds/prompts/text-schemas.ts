/** The schemas of a text that a seat or the verifier owes: as it is asked for, and as it is read. */
import * as z from 'zod';
import { sanitise } from '../../../text/sanitise.ts';
import { hasContent } from '../../../text/words/has-content.ts';
import { repeatsWords } from '../../../text/words/repeats-words.ts';
import { says } from '../records/said.ts';

/** A letter or a figure: a decision of nothing but signs was taken once. */
const WORD = /[\p{L}\p{N}]/u;

/** Something that can be read, also once it is cleaned for a terminal. */
export const owedText = z
  .string()
  .min(1)
  .refine(
    (text) => says(sanitise(text)) && WORD.test(text),
    'there is nothing in it that can be read',
  )
  .refine((text) => !repeatsWords(text), 'it says the same words over and over');

/** A sentence that others may believe or deny: a claim, a decision, what is attacked. */
export const owedStatement = owedText.refine(hasContent, 'it says nothing: write a whole sentence');

/** The same in an answer on record: it was accepted by the rule of its day, and a replay reads it so. */
export const recordedText = z.string().min(1);

/** Either of the two: what a schema is made with. */
export type TextSchema = z.ZodType<string>;
