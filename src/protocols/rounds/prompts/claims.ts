/** Phase F: the claims a round raises, and which claims its verdicts bear on. */
import * as z from 'zod';
import { recordedWords, type Words, words } from './words.ts';

export const raisedSchema = raisedIn(words);
/** The same in an answer on record. */
export const recordedRaisedSchema = raisedIn(recordedWords);

function raisedIn(said: Words) {
  return z.object({
    claims: z
      .array(
        z.object({
          /** One to three sentences that can be wrong. */
          text: said,
          /** One observable outcome that would decide it. */
          testable_as: said,
          /** A claim on record that this one replaces. */
          supersedes: z.string().optional(),
        }),
      )
      .max(3),
  });
}

/** `least` and `most` claims for this seat. */
export function raiseTask(least: number, most: number): string {
  const count = least === most ? `exactly ${most}` : `${least} to ${most}`;
  return [
    `State ${count} claim${most === 1 ? '' : 's'} that this round has put in doubt or made possible, from your role.`,
    'A claim is one to three sentences that can turn out wrong. For each, name one observable outcome that would decide it: what one would run or look at, and what one would see if the claim were false.',
    'Do not repeat a claim on record. If yours replaces one, name its id as superseded.',
  ].join('\n\n');
}

/** Which claims each verdict bears on. Ids are limited to those that exist. */
export function bearingsSchema(verifications: readonly string[], claims: readonly string[]) {
  return z.object({
    bearings: z.array(
      z.object({
        verification: z.enum(verifications as [string, ...string[]]),
        claim: z.enum(claims as [string, ...string[]]),
        /** Whether the claim says that what was tested holds, or that it fails. */
        stance: z.enum(['upholds', 'attacks']),
        bearing: z.enum(['whole', 'part']),
        why: z.string(),
      }),
    ),
  });
}

export interface Bearing {
  readonly verification: string;
  readonly claim: string;
  readonly stance: 'upholds' | 'attacks';
  readonly bearing: 'whole' | 'part';
  readonly why: string;
}

export function bearingsTask(): string {
  return [
    'Say which claims the verdicts of this round bear on. List a pair only where the verdict is evidence about the claim; most pairs are not.',
    'stance: "upholds" where the claim says that the thing tested holds, "attacks" where the claim says that it fails.',
    'bearing: "whole" where the verdict decides the whole claim, "part" where it decides only some of it.',
    'You do not set any status. Code derives it from the verdict, the stance and the bearing.',
  ].join('\n\n');
}
