/** The plain vote: what a seat is asked about its own stance. */
import * as z from 'zod';
import { owedText, recordedText, type TextSchema } from './text-schemas.ts';

const confidence = z.number().min(0).max(1);

/** Without the others. The first answer and the control's repeat are asked for in the same words. */
export const aloneSchema = aloneIn(owedText);

/** With all that is on record; a cited id that does not exist does not spoil the vote, code drops it. */
export const peersSchema = aloneSchema.extend({ cites: z.array(z.string()) });

/** Either of the two in an answer on record. */
export const recordedStanceSchema = aloneIn(recordedText).extend({
  cites: peersSchema.shape.cites.optional(),
});

function aloneIn(line: TextSchema) {
  return z.object({ position: line, option: line, confidence });
}

export const ALONE =
  'Say where you stand on the question, from your role, by the question and its attachments alone.';
export const WITH_PEERS =
  'Say where you stand on the question, from your role, by all that is on record.';

/** What is asked of each field of a stance. A value that repeats it is no answer. */
export const STANCE_FIELDS = {
  position: 'one line that somebody could act on',
  option: 'what you would put on a ballot, in at most six words',
  confidence: 'from 0 to 1, how likely you think it is that this is the right choice',
} as const;

export const STANCE = Object.entries(STANCE_FIELDS)
  .map(([field, asked]) => `${field}: ${asked}.`)
  .join(' ');
export const STANCE_WITH_PEERS = `${STANCE} cites: the ids of the claims (C-…) and verdicts (V-…) that decide it for you; empty where none does.`;
