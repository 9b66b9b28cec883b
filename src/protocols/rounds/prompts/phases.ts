/**
 * The instructions for phases B, C, G and H, for predictions of absences, and for the synthesis.
 */
import * as z from 'zod';
import type { Quoted } from '../../../kernel/model.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import { ROLE_INFO } from '../cast.ts';
import type { Role } from '../records/types.ts';
import { isSince, type PromptEdition } from './order.ts';
import {
  readableTextSchema,
  recordedText,
  statementSchema,
  type TextSchema,
} from './text-schemas.ts';

/**
 * Returns the title of the block that contains the lead's proposal in prompts: `the lead, Action`.
 */
export function leadName(lead: Role): string {
  return `the lead, ${ROLE_INFO[lead].title}`;
}

/**
 * Returns a list with one sentence for the prompt, which tells a seat which of the quoted blocks it has written
 * itself. The list is empty if it has written none.
 */
export function listOwnBlocks(role: Role, lead: Role, heard: readonly Quoted[]): string[] {
  const [from, what] =
    role === lead ? [leadName(lead), 'proposal'] : [ROLE_INFO[role].title, 'supplement'];
  return heard.some((block) => block.from === from)
    ? [`The block from "${from}" is your own ${what}.`]
    : [];
}

/** How many words a lead's proposal should have. */
export const PROPOSAL_WORDS = { least: 600, most: 800 } as const;
/** How many words another role's supplement to the lead's proposal should have. */
export const SUPPLEMENT_WORDS = { least: 200, most: 400 } as const;

/** Returns the instructions for the proposal with which the leading role begins a round. */
export function proposalTask(round: number): string {
  const words = `${PROPOSAL_WORDS.least} to ${PROPOSAL_WORDS.most} words`;
  return [
    `Round ${round}. You lead it.`,
    round === 1
      ? `Propose an answer to the question in ${words}.`
      : `Carry the deliberation on in ${words}: take up the open tensions and the claims that are not settled, move the answer forward, and say what of the earlier rounds you keep and what you overturn. An overturned decision is named by its id.`,
    'Commit yourself: a position that you would defend from your role, its reasons, and the point at which you would give it up. Write so concretely that the other roles can test it.',
  ].join('\n\n');
}

/** Returns the instructions for a role's supplement: what it adds to the lead's proposal. */
export function supplementTask(): string {
  return `Add what your role sees in this proposal and the lead does not, in ${SUPPLEMENT_WORDS.least} to ${SUPPLEMENT_WORDS.most} words. Where you disagree, say so in the first sentence and say what would settle it. Do not summarize the proposal.`;
}

/**
 * How many words the lead's answer to the question should have at most. The next round's proposal
 * begins from this answer.
 */
export const ANSWER_WORDS = 150;

/**
 * Returns the schema of the lead's assessment at the end of a round: its decisions, unresolved
 * conflicts and answer.
 * @param ids the ids that decisions may cite; any are allowed if the list is empty
 * @param claims the ids of the open claims, for whose tests decisions may wait
 */
export function assessmentSchema(ids: readonly string[], claims: readonly string[]) {
  return z.object({
    decisions: z
      .array(
        z.object({
          text: statementSchema,
          cites: z
            .array(
              z.object({
                id: makeChoiceSchema(ids),
                relation: z.enum(['based-on', 'supported-by', 'supersedes']),
                takes_as: z.enum(['true', 'false']),
              }),
            )
            .meta({ minItems: 1 }),
          conditions: z.array(makeChoiceSchema(claims)),
          made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
        }),
      )
      .max(3),
    tensions: z.array(z.string()),
    architecture_impact: z.string(),
    answer: z.string(),
  });
}

/**
 * The schema by which the lead's assessment at the end of a round is read from its answer. Each part is checked by
 * itself, so that valid parts are kept.
 */
export const looseAssessmentSchema = z.looseObject({
  decisions: z.array(z.unknown()).optional().catch([]),
  tensions: z.array(z.unknown()).optional().catch([]),
  architecture_impact: z.string().optional().catch(undefined),
  answer: z.string().optional().catch(undefined),
});
/**
 * The assessment by the role that leads a round, at the round's end: its decisions, unresolved conflicts, and the
 * answer to the question so far.
 */
export type Assessment = z.infer<typeof looseAssessmentSchema>;

/**
 * The schema by which one decision is read from the lead's assessment at the end of a round. Any ids are accepted; code
 * checks them afterwards.
 */
export const looseDecisionSchema = z.object({
  text: recordedText,
  cites: z.array(
    z.object({
      id: z.string(),
      relation: z.enum(['based-on', 'supported-by', 'supersedes']),
      takes_as: z.enum(['true', 'false']).optional().catch(undefined),
    }),
  ),
  conditions: z.array(z.string()).optional().catch([]),
  made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
});

/**
 * Returns the lead's instructions for its assessment at the end of a round: decisions, unresolved conflicts, and the
 * answer to the question so far.
 */
export function assessmentTask(edition: PromptEdition): string {
  return [
    `Close the round. decisions: one to three that its claims and verdicts support, none where nothing supports one. Each cites (cites) at least one claim (C-…), verification (V-…) or earlier decision (D-…) by its id, with relation "based-on", "supported-by", or "supersedes" for a decision that it overturns. takes_as: "true" where the decision rests on the claim being true, "false" where it rests on its being refuted${isSince(edition, 4) ? '; of a verification or decision, "true"' : ''}. A decision that takes as true what was refuted or withdrawn is not taken.`,
    // Before edition 3, the prompt told the lead to name the claim's test in the text of a decision. Newer prompts do
    // not, because the lead is not shown the test.
    isSince(edition, 3)
      ? 'conditions: ids of open claims that the decision waits for; its text then says what is done if they turn out true, and what if not. Else empty.'
      : 'conditions: ids of open claims that the decision waits for, with the test named in its text ("if …"); else empty.',
    'tensions: what stays open, a sentence each. architecture_impact: in one or two sentences, what changes in the thing under discussion.',
    `answer: the answer to the question as it stands after this round, in at most ${ANSWER_WORDS} words: it is all that the next round is told of it.`,
    'made_by: "consensus" where no role objected, "round_lead" where you decide against an objection, "adversary_concession" where the Critic gave way.',
  ].join('\n\n');
}

/** The schema of a drift check: whether the deliberation still answers the question. */
export const driftSchema = driftIn(readableTextSchema);
/** The schema by which a recorded drift check is read. */
export const recordedDriftSchema = driftIn(recordedText);

function driftIn(said: TextSchema) {
  return z.object({
    verdict: z.enum(['PASS', 'FAIL', 'PARTIAL']),
    deviation_score: z.number().int().min(1).max(5),
    notes: said,
  });
}

/** Returns the instructions for a drift check. */
export function driftTask(question: string): string {
  return [
    'Drift check. This was the question at the start:',
    question.trim(),
    'Hold the decisions and tensions on record against it. PASS: they answer it. PARTIAL: some answer another question. FAIL: the deliberation is about something else. deviation_score: 1 on the question, 5 lost it; with 3 or more it is no PASS. notes: what drifted, or why nothing did.',
  ].join('\n\n');
}

/**
 * The schema of a prediction, made before a stress round, of what the role's absence will change.
 */
export const predictionSchema = predictionIn(readableTextSchema);
/** The schema by which a recorded prediction for a stress round is read. */
export const recordedPredictionSchema = predictionIn(recordedText);

function predictionIn(said: TextSchema) {
  return z.object({
    /** What will be missing, weaker or different because the role is absent, and how this will show. */
    signature: z.array(said).min(1).max(5),
  });
}

/** Returns the instructions for predicting what a role's absence will change. */
export function predictionTask(absent: Role): string {
  return `This is a stress round: the ${ROLE_INFO[absent].title} is absent and hands in nothing. Before it begins, predict the signature of that absence: one to five observable differences between this round and a normal one. If you expect none, you are saying that the role is decorative.`;
}

/** The title of the block that contains the prediction in the prompt of `absenceReportTask`. */
export const PREDICTION = 'the prediction';

/**
 * Returns the verifier's instructions for its report on a stress round, from which a role was left out. The report says
 * which of the predicted effects of the role's absence have occurred.
 */
export function absenceReportTask(absent: Role): string {
  return [
    `The ${ROLE_INFO[absent].title} was absent from this round. What had been predicted of it stands in the block from ${PREDICTION}, a line each.`,
    'For each, say whether it happened and where one sees it. decorative is true only if the round looks like a round in which the role was present.',
  ].join('\n\n');
}

/** The headings of a synthesis, in order. */
export const HEADINGS = [
  'Answer',
  'What to do',
  'What carries it',
  'What was refuted',
  'What stays open',
  'What would change the answer',
];

/** Returns the instructions for the synthesis. */
export function synthesisTask(): string {
  return [
    'The deliberation is over. Write for the person who asked and has five minutes. They were not there: say things, do not report that they were said. Use these headings and no others:',
    HEADINGS.map((heading) => `## ${heading}`).join('\n'),
    [
      'Answer: the first line is Yes, No or Not yet, with the reason in the same sentence; where the question asks for something else, the choice itself.',
      'What to do: who does what first, and by what sign it is done.',
      'What carries it: the claims and decisions that the answer rests on, each as a sentence with its id and how it is known: read in the text, run, or argued. What was only argued is said to be argued. A decision whose ground has fallen carries nothing.',
      'What was refuted: what turned out false, and what follows from that.',
      'What stays open: at most three points that could change the answer, each with the cheapest test that would settle it.',
      'What would change the answer: one condition for each direction.',
    ].join('\n'),
    'Take every status from the state of the record and from nowhere else. Raise no new claim. At most 600 words.',
  ].join('\n\n');
}
