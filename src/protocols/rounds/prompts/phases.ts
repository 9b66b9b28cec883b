/** Phases B, C, G and H: proposal, supplements, assessment and drift check; and the stress prediction. */
import * as z from 'zod';
import { ROLE_INFO } from '../cast.ts';
import type { Role } from '../records/types.ts';
import { recordedWords, type Words, words } from './words.ts';

/** How many words the lead is asked for, and those who add to what it said. */
export const PROPOSAL_WORDS = { least: 600, most: 800 } as const;
export const SUPPLEMENT_WORDS = { least: 200, most: 400 } as const;

export function proposalTask(round: number, lead: Role): string {
  const words = `${PROPOSAL_WORDS.least} to ${PROPOSAL_WORDS.most} words`;
  return [
    `Round ${round}. You lead it.`,
    round === 1
      ? `Propose an answer to the question in ${words}.`
      : `Carry the deliberation on in ${words}: take up the open tensions and the claims that are not settled, move the answer forward, and say what of the earlier rounds you keep and what you overturn. An overturned decision is named by its id.`,
    `Commit yourself: a position that the ${ROLE_INFO[lead].title} would defend, its reasons, and the point at which you would give it up. Write so concretely that the other roles can test it.`,
  ].join('\n\n');
}

export function supplementTask(): string {
  return `Add what your role sees in this proposal and the lead does not, in ${SUPPLEMENT_WORDS.least} to ${SUPPLEMENT_WORDS.most} words. Where you disagree, say so in the first sentence and say what would settle it. Do not summarise the proposal.`;
}

/**
 * The lead's assessment. Where there are ids to cite, the schema admits only these, so that a provider
 * that enforces schemas cannot cite what does not exist.
 */
export function assessmentSchema(ids: readonly string[]) {
  return assessmentWith(ids.length > 0 ? z.enum(ids as [string, ...string[]]) : z.string(), words);
}

/** As an answer on record is read, with any id: code looks afterwards which of them exist. */
export const looseAssessmentSchema = assessmentWith(z.string(), recordedWords);
export type Assessment = z.infer<typeof looseAssessmentSchema>;

function assessmentWith<T extends z.ZodType<string>>(id: T, said: Words) {
  return z.object({
    decisions: z
      .array(
        z.object({
          text: said,
          cites: z
            .array(
              z.object({
                id,
                relation: z.enum(['based-on', 'supported-by', 'supersedes']),
              }),
            )
            .min(1),
          made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
        }),
      )
      .min(1)
      .max(3),
    tensions: z.array(z.string()),
    architecture_impact: z.string(),
  });
}

export function assessmentTask(): string {
  return [
    'Close the round. Take one to three decisions that its claims and verdicts support. Each cites at least one claim (C-…), verification (V-…) or earlier decision (D-…) by its id; a decision that nothing supports is not taken.',
    'Then name the tensions that stay open, and in one or two sentences what changes in the thing under discussion.',
    'made_by: "consensus" where no role objected, "round_lead" where you decide against an objection, "adversary_concession" where the Critic gave way.',
  ].join('\n\n');
}

export const driftSchema = driftIn(words);
/** The same in an answer on record. */
export const recordedDriftSchema = driftIn(recordedWords);

function driftIn(said: Words) {
  return z.object({
    verdict: z.enum(['PASS', 'FAIL', 'PARTIAL']),
    deviation_score: z.number().int().min(1).max(5),
    notes: said,
  });
}

export function driftTask(question: string): string {
  return [
    'Drift check. This was the question at the start:',
    question.trim(),
    'Hold the decisions and tensions on record against it. PASS: they answer it. PARTIAL: some answer another question. FAIL: the deliberation is about something else. deviation_score: 1 on the question, 5 lost it. Say what drifted, or why nothing did.',
  ].join('\n\n');
}

export const predictionSchema = predictionIn(words);
/** The same in an answer on record. */
export const recordedPredictionSchema = predictionIn(recordedWords);

function predictionIn(said: Words) {
  return z.object({
    /** What will be missing, weaker or different, and how one would see it. */
    signature: z.array(said).min(1).max(5),
  });
}

export function predictionTask(absent: Role): string {
  return `This is a stress round: the ${ROLE_INFO[absent].title} is absent and hands in nothing. Before it begins, predict the signature of that absence: one to five observable differences between this round and a normal one. If you expect none, you are saying that the role is decorative.`;
}

/** Where the prediction stands that `signatureTask` speaks of. */
export const PREDICTION = 'the prediction';

export function signatureTask(absent: Role): string {
  return [
    `The ${ROLE_INFO[absent].title} was absent from this round. What had been predicted of it stands in the block from ${PREDICTION}, a line each.`,
    'For each, say whether it happened and where one sees it. decorative is true only if the round looks like a round in which the role was present.',
  ].join('\n\n');
}

/** What a synthesis stands under. */
export const HEADINGS = [
  'Answer',
  'What carries it',
  'What was refuted',
  'What stays open',
  'What would change the answer',
];

/** The synthesis round: no new claims, what was decided and what was not. */
export function synthesisTask(): string {
  return [
    'The deliberation is over. Sum it up from the record, under these headings:',
    HEADINGS.map((heading) => `## ${heading}`).join('\n'),
    'Name claims, verdicts and decisions by their ids. Raise no new claim. Where the record does not decide, say so. At most 600 words.',
  ].join('\n\n');
}
