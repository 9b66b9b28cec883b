/** The plain vote: what a seat is asked about its own stance, and the verifier about equal options. */
import * as z from 'zod';

const line = z.string().min(1);
const confidence = z.number().min(0).max(1);

/** Without the others. The first answer and the control's repeat are asked for in the same words. */
export const aloneSchema = z.object({ position: line, option: line, confidence });

/** With all that is on record; a cited id that does not exist does not spoil the vote, code drops it. */
export const peersSchema = z.object({
  position: line,
  option: line,
  confidence,
  cites: z.array(z.string()),
});

const ASK =
  'position: one line that somebody could act on. option: what you would put on a ballot, in at most six words. confidence: from 0 to 1, how likely you think it is that this is the right choice.';

export function aloneTask(): string {
  return `Say where you stand on the question, from your role, by the question and its attachments alone.\n\n${ASK}`;
}

export function peersTask(): string {
  return `Say where you stand on the question, from your role, by all that is on record.\n\n${ASK} cites: the ids of the claims (C-…) and verdicts (V-…) that decide it for you; empty where none does.`;
}

/** Options by the ids they are shown under: `O1`, `O2`, … */
export function sameSchema(ids: readonly string[]) {
  const id = z.enum(ids as [string, ...string[]]);
  return z.object({ same: z.array(z.object({ option: id, as: id })) });
}

export function sameTask(): string {
  return 'These are options that people put on a ballot about the question, each in words of its own. Which of them are the same choice? List a pair only where whoever carried out the one would have carried out the other; a condition or a date that changes what is done makes it another choice. Most options are different, and an empty list is a good answer.';
}
