/** The instructions for raising claims, and for deciding them by verdicts. */
import * as z from 'zod';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { ABOUT, DECIDED_BY, SAYS } from '../records/types.ts';
import { isSince, type PromptEdition } from './order.ts';
import { recordedText, statementSchema, type TextSchema } from './text-schemas.ts';

/** The most claims that the schema accepts. The prompt asks for fewer. */
const MOST_CLAIMS = 3;

/** Makes the schemas of the claims, withdrawals and disputes beside an artifact. */
function heldIn(said: TextSchema) {
  return {
    claims: z
      .array(
        z.object({
          /** The claim's text: one to three sentences that can be false. */
          text: said,
          /** The observable outcome that would decide the claim. */
          testable_as: said,
          decided_by: z.enum(DECIDED_BY),
          says: z.enum(SAYS),
          about: z.enum(ABOUT),
          /** What in the answer to the question would change if the claim were false. */
          if_false: said,
          /** The id of a recorded claim that the new claim contradicts or replaces; empty if there is none. */
          replaces: z.string(),
        }),
      )
      .max(MOST_CLAIMS),
    /** The ids of the seat's own claims that it withdraws. */
    concedes: z.array(z.string()),
    /** Claims that the reader has decided wrongly in the seat's view, each with a quotation that shows the error. */
    disputes: z.array(z.object({ claim: z.string(), quotation: z.string() })),
  };
}

/**
 * The schemas of the fields of an artifact in which a seat raises claims, withdraws claims and
 * objects to claims.
 */
export const CLAIM_FIELD_SCHEMAS = heldIn(statementSchema);

/**
 * The schema by which the fields for claims, concessions and disputes are read from a recorded
 * artifact. Each entry is checked separately afterwards, so that an invalid one does not affect the
 * others.
 */
export const recordedClaimFieldsSchema = z.object({
  claims: z.array(z.unknown()).optional(),
  concedes: z.array(z.unknown()).optional(),
  disputes: z.array(z.unknown()).optional(),
});

/** The schema by which one raised claim is read from a recorded artifact. */
export const recordedClaimSchema = z.object({
  text: recordedText,
  testable_as: z.string(),
  decided_by: z.enum(DECIDED_BY),
  says: z.enum(SAYS),
  about: z.enum(ABOUT),
  if_false: z.string(),
  replaces: z.string().optional(),
});
/** A claim as a seat raises it in its artifact, before it is checked. */
export type HandedClaim = z.infer<typeof recordedClaimSchema>;

/** The schema by which an objection to a decided claim is read from a recorded artifact. */
export const recordedDisputeSchema = z.object({ claim: z.string(), quotation: z.string() });

const ATTACHMENTS = 'the attachments';

/** Which kinds of documents a run has. Without any, no claim can be decided by reading. */
export interface Texts {
  /** Whether there are attachments. */
  readonly attachments: boolean;
  /** Whether seats can look things up with tools. */
  readonly results: boolean;
}

/**
 * Names the documents of a run for a sentence of a prompt: `the attachments or the results of
 * lookups`. Returns undefined if there are none.
 */
export function nameTexts({ attachments, results }: Texts): string | undefined {
  const named = [
    ...(attachments ? [ATTACHMENTS] : []),
    ...(results ? ['the results of lookups'] : []),
  ];
  return named.length === 0 ? undefined : named.join(' or ');
}

/** What prompts ask for in each field of a claim. A value that repeats these words is refused. */
export const CLAIM_FIELDS = {
  text: 'one to three sentences of your own that can turn out wrong, and that matter for the answer',
  testable_as:
    'one observable outcome that would decide it: what one would look at or run, and what one would see if the claim were false',
  if_false:
    'what in the answer to the question would change if the claim turned out false. If nothing would, leave the claim out',
  replaces: 'the id of a decided claim on record',
} as const;

/**
 * Returns the instructions for raising claims.
 * @param least the fewest claims of a seat
 * @param most the most claims of a seat
 * @param edition the wording of the prompts
 */
export function claimsTask(
  least: number,
  most: number,
  texts: Texts,
  edition: PromptEdition,
): string {
  const documents = nameTexts(texts);
  const isNew = isSince(edition, 3);
  const count = least === most ? `exactly ${most}` : `${least} to ${most}`;
  return [
    `${isNew ? 'Beside your artifact' : 'Beside it'}, state ${count} claim${most === 1 ? '' : 's'} from your role that ${isNew ? 'it' : 'your artifact'} rests on or shows. A claim is ${CLAIM_FIELDS.text}.`,
    [
      `testable_as: ${CLAIM_FIELDS.testable_as}.`,
      `decided_by: ${documents === undefined ? '' : `"reading" where ${documents} decide it, `}"running" where a command or a measurement does, "asking" where somebody has to be asked.`,
      'says: "holds" where the claim says that something works, is true or is there; "fails" where it says that something breaks, is wrong or is missing.',
      `about: ${documents === undefined ? '' : `"document" for what ${documents} say or leave out, `}"plan" for what is proposed here${documents === undefined ? '' : `, "both" for what the plan keeps of ${documents}`}.`,
      `if_false: ${CLAIM_FIELDS.if_false}.`,
      // In newer prompts, tell the seat that an open claim is not replaced: `register.ts` refuses such a replacement.
      isNew
        ? `replaces: ${CLAIM_FIELDS.replaces}, one that was confirmed or refuted, that yours denies or puts better, or of one that another seat has withdrawn and you take up; else "". A claim that is still open is not replaced. One that was confirmed is not replaced by being denied: yours has to be shown on stronger grounds.`
        : 'replaces: the id of a claim on record that yours denies or puts better, else "". A claim that was confirmed is not replaced by being denied: yours has to be shown on stronger grounds.',
    ].join('\n'),
    `Do not repeat a claim on record, and do not copy sentences of ${documents ?? ATTACHMENTS}: a quotation is no claim.`,
    ...(texts.results
      ? [
          'A claim that rests on a result of a lookup cites it in its words, by id and lines, like S-3#L10-L12: nobody else has read that result, and these lines are shown to whoever decides the claim. One that cites a result that does not exist is refused.',
        ]
      : []),
    `concedes: ids of your own claims that nothing has decided yet and that you take back; not one that was read, run, or that a decision rests on. To concede is to withdraw, not to refute. disputes: a claim on record that was read wrongly, with other words of ${documents ?? ATTACHMENTS} that show it. Leave both empty where there is nothing of the kind.`,
  ].join('\n\n');
}

/**
 * The reminder at the end of a prompt to state claims in the same answer. The instructions for
 * claims stand far above it.
 */
export const AND_CLAIMS =
  'In the same answer, state the claims (claims) that were asked for above, and fill in concedes and disputes.';

const MAKES = ['makes_true', 'makes_false', 'says_nothing'] as const;
const SPEAKS_OF = ['plan', 'document', 'both'] as const;

/**
 * Returns the schema of the verifier's answer about how each verdict of the round affects each open
 * claim.
 * @param verifications the ids of the verdicts
 * @param claims the ids of the open claims
 */
export function bearingsSchema(verifications: readonly string[], claims: readonly string[]) {
  return z.object({
    bearings: z.array(
      z.object({
        verification: makeChoiceSchema(verifications),
        claim: makeChoiceSchema(claims),
        makes: z.enum(MAKES),
        /** The words of the claim that the verdict decides, copied from the claim. */
        covered: z.string(),
        /** The subject of what the verdict says on the claim: the panel's plan, the document or both. */
        speaks_of: z.enum(SPEAKS_OF),
        why: z.string(),
      }),
    ),
  });
}

/**
 * The schema of one entry in the verifier's answer: how one verdict affects one claim. Any ids are
 * accepted.
 */
export const looseBearingSchema = z.object({
  verification: z.string(),
  claim: z.string(),
  makes: z.enum(MAKES),
  covered: z.string(),
  speaks_of: z.enum(SPEAKS_OF),
  why: z.string(),
});
/**
 * The verifier's statement about how one verdict affects one claim: makes it true, makes it false,
 * or says nothing about it.
 */
export type Bearing = z.infer<typeof looseBearingSchema>;

/**
 * Returns the verifier's instructions for stating how each verdict of the round affects each open
 * claim.
 */
export function bearingsTask(edition: PromptEdition): string {
  const seen = isSince(edition, 3)
    ? 'the reasoning of each verdict and at the places that it cites'
    : 'the artifacts, at the reasoning of the verdict and at the places that it cites';
  return [
    `Say what the verdicts above make of the claims. Look at ${seen}, and list a pair only where the verdict decides the claim; most pairs it does not.`,
    'makes: "makes_true" where, if the verdict is right, the claim is true; "makes_false" where it is then false; "says_nothing" otherwise. Mind what a claim says: one that says "it fails" is made true by a failure.',
    `covered: the words of the claim that the verdict decides, copied from it. speaks_of: "plan" where the verdict is about what is proposed, "document" where it is about the text under discussion${isSince(edition, 4) ? ' or about what was looked up' : ''}, "both" where the plan keeps that part of ${isSince(edition, 4) ? 'them' : 'the text'}.`,
    'You set no status. A second entry is made by code from the result and from what the claim says of itself; where the two differ, the claim stays as it is and the pair is listed. Few claims are decided in a round, and that is no fault.',
  ].join('\n\n');
}
