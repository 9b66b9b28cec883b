/** The instructions for a seat's vote. */
import * as z from 'zod';
import { readableTextSchema, recordedText, type TextSchema } from './text-schemas.ts';

const confidence = z.number().min(0).max(1);

/**
 * The schema of a vote by a seat that is shown nothing of the other seats. Such votes are taken at
 * the beginning of the first round. If the settings ask for it, they are taken again at the end for comparison.
 */
export const aloneSchema = aloneIn(readableTextSchema);

/**
 * The schema of a vote by a seat that is shown all records, and may cite them. Unknown ids are
 * accepted, and code drops them afterwards.
 */
export const peersSchema = aloneSchema.extend({ cites: z.array(z.string()) });

/**
 * The schema by which a vote is read from a recorded answer, whether or not the seat was shown the
 * records.
 */
export const recordedStanceSchema = aloneIn(recordedText).extend({
  cites: peersSchema.shape.cites.optional(),
});

function aloneIn(line: TextSchema) {
  return z.object({ position: line, option: line, confidence });
}

/** The instructions for a vote by a seat that is shown nothing of the other seats. */
export const ALONE =
  'Say where you stand on the question, from your role, by the question and its attachments alone.';
/** The instructions for a vote by a seat that is shown all records. */
export const WITH_PEERS =
  'Say where you stand on the question, from your role, by all that is on record.';

/** What prompts ask for in each field of a vote. A value that repeats these words is refused. */
export const STANCE_FIELDS = {
  position: 'one line that somebody could act on',
  option: 'what you would put on a ballot, in at most six words',
  confidence: 'from 0 to 1, how likely you think it is that this is the right choice',
} as const;

/** The description of a vote's fields in prompts. */
export const STANCE = Object.entries(STANCE_FIELDS)
  .map(([field, asked]) => `${field}: ${asked}.`)
  .join(' ');
/** The description of a vote's fields in prompts for a vote that may cite records. */
export const STANCE_WITH_PEERS = `${STANCE} cites: the ids of the claims (C-…) and verdicts (V-…) that decide it for you; empty where none does.`;
