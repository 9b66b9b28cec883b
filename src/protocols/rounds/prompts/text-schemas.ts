/** Schemas of required texts: for new answers, and for recorded ones. */
import * as z from 'zod';
import { sanitiseText } from '../../../text/sanitise.ts';
import { hasContent } from '../../../text/words/has-content.ts';
import { repeatsWords } from '../../../text/words/repeats-words.ts';
import { hasVisibleText } from '../records/said.ts';

/**
 * Matches a letter or a digit. A real run once accepted a decision that contained only punctuation.
 */
const WORD = /[\p{L}\p{N}]/u;

/**
 * The schema of a text that must contain something readable, even after control characters are
 * removed.
 */
export const readableTextSchema = z
  .string()
  .min(1)
  .refine(
    (text) => hasVisibleText(sanitiseText(text)) && WORD.test(text),
    'there is nothing in it that can be read',
  )
  .refine((text) => !repeatsWords(text), 'it says the same words over and over');

/**
 * The schema of a sentence with content, such as a claim or a decision. Empty phrases are refused.
 */
export const statementSchema = readableTextSchema.refine(
  hasContent,
  'it says nothing: write a whole sentence',
);

/**
 * The schema by which texts are read from recorded answers. Those answers were accepted by older
 * rules, so any text is allowed that is not empty.
 */
export const recordedText = z.string().min(1);

/** The schema of a text: `readableTextSchema` for new answers, or `recordedText` for recorded ones. */
export type TextSchema = z.ZodType<string>;
