/** Which options on a ballot are one choice, asked of a model where their wording does not already say so. */
import * as z from 'zod';

/** Options by the ids they are shown under: `O1`, `O2`, … */
export function sameSchema(ids: readonly string[]) {
  const id = z.enum(ids as [string, ...string[]]);
  return z.object({ same: z.array(z.object({ option: id, as: id })) });
}

/** `when`: what makes two options one choice. */
export function sameTask(
  when = 'whoever carried out the one would have carried out the other',
): string {
  return `These are options that people put on a ballot about the question, each in words of its own. Which of them are the same choice? List a pair only where ${when}; a condition or a date that changes what is done makes it another choice. Most options are different, and an empty list is a good answer.`;
}
