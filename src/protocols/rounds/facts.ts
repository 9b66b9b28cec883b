/**
 * The facts of a deliberation in rounds: rounds, artifacts, verdicts, claims, decisions, and
 * results derived from them. Fields inside records have the names that the JSONL files use.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { defineVocabulary, type Envelope, factSchema } from '../../kernel/vocabulary.ts';
import { FINDINGS } from '../entrance/findings.ts';
import {
  ABOUT,
  BASES,
  bearingSchema,
  checkSchema,
  DECIDED_BY,
  quotationSchema,
  REFUSED,
  resultSchema,
  roleSchema,
  SAYS,
  stanceSchema,
  statusSchema,
} from './records/types.ts';
import { SQL_VIEWS } from './sql-views.ts';

const round = z.number().int().positive();

/**
 * The schema of the verifier's report on a stress round (a round from which a role was left out).
 * For each predicted effect of the absence, the report says whether it occurred.
 */
export const absenceReportSchema = z.object({
  observed: z.array(
    z.object({
      prediction: z.string(),
      happened: z.enum(['yes', 'no', 'partly']),
      where: z.string(),
    }),
  ),
  /** Whether the round would have been the same with the role present. */
  decorative: z.boolean(),
  notes: z.string(),
});

/**
 * Returns the schemas of the facts that only deliberations in rounds record, one for each type of
 * fact.
 */
export const describeRoundFacts = () =>
  [
    factSchema('round.started', {
      round,
      lead: roleSchema,
      /** The role that is left out of the round. */
      absent: roleSchema.optional(),
    }),
    factSchema('phase.entered', {
      round,
      phase: z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'synthesis']),
    }),
    /** The lead's prediction, before a stress round, of what the absence will change. */
    factSchema('stress.predicted', {
      round,
      absent: roleSchema,
      signature: z.array(z.string()),
    }),
    factSchema('stress.compared', {
      round,
      absent: roleSchema,
      ...absenceReportSchema.shape,
    }),
    factSchema('artifact.produced', {
      round,
      role: roleSchema,
      /** The path that evidence cites: `artifacts/round_3/critic.md`. */
      path: z.string(),
      markdown: z.string(),
      /** The step of the call that wrote the artifact. */
      step: z.string(),
    }),
    factSchema('verification.recorded', {
      id: z.string(),
      round,
      check: checkSchema,
      result: resultSchema,
      evidence_refs: z.array(z.string()),
      notes: z.string(),
      /** The verifier's reasoning. Absent if the verifier gave none or its verdict was refused, and in older runs. */
      reasoning: z.string().optional(),
      /** Why the verifier's answer failed a check, such as a citation of a missing place. */
      degraded: z.string().optional(),
      /** The step of the call that answered. Absent for tests, withdrawals and checks with nothing to compare. */
      step: z.string().optional(),
    }),
    /** A person had a claim tested by a command, between two attempts. Forks record copies of such tests. */
    factSchema('evidence.recorded', {
      /** The id `E-{round}-{seq}`, with the round that had begun last. */
      id: z.string(),
      round,
      claim: z.string(),
      /** The id of the verdict that follows from the test. */
      verification: z.string(),
      /** The command, with `[key]` in place of secrets. */
      command: z.string(),
      cwd: z.string(),
      timeoutMs: z.number(),
      /** The outcome that confirms the claim, as chosen before the command ran. */
      confirmsOn: z.enum(['success', 'failure']),
      /** The exit code; null if a signal ended the command. */
      exit: z.number().int().nullable(),
      signal: z.string().nullable(),
      timedOut: z.boolean(),
      durationMs: z.number(),
      /** The hash of the whole output, including parts that are not kept. */
      sha256: z.string(),
      bytes: z.number().int(),
      /** The kept output: its beginning and its end, and how much is left out between. */
      output: z.string(),
      cutBytes: z.number().int(),
      /**
       * How many secrets were replaced in the kept output. Absent in older records, in which none
       * were.
       */
      concealed: z.number().int().optional(),
      /** The names of the variables that the command saw. Absent in older records. */
      environment: z.array(z.string()).optional(),
      /** The shell that ran the command. Absent for /bin/sh. */
      shell: z.string().optional(),
      approvedBy: z.enum(['person', '--yes']),
      /** The path that verdicts cite: `evidence/E-3-1.md`. */
      path: z.string(),
    }),
    factSchema('claim.raised', {
      id: z.string(),
      round,
      raised_by: roleSchema,
      text: z.string(),
      testable_as: z.string(),
      supersedes: z.string().optional(),
      raised_at_artifact: z.string().optional(),
      /** The fields from `decided_by` to `challenges` exist since edition 2 of the rules; see `claimSchema`. */
      decided_by: z.enum(DECIDED_BY).optional(),
      says: z.enum(SAYS).optional(),
      about: z.enum(ABOUT).optional(),
      if_false: z.string().optional(),
      challenges: z.string().optional(),
      step: z.string(),
    }),
    /**
     * Code refused something that a role or the verifier said, such as a claim, a withdrawal or a citation. Or a
     * call failed.
     */
    factSchema('refusal.recorded', {
      round,
      kind: z.enum(REFUSED),
      /** The author: the id of a seat, which is a role or `verifier`. For a failed call, the seat that was asked. */
      by: z.string(),
      /** The id of the claim or verification concerned. Absent if there is none, or if only `text` names it. */
      id: z.string().optional(),
      /**
       * The text of what code refused, such as a claim or a quotation. For a failed call (`kind` is `call`), the key of
       * its step.
       */
      text: z.string(),
      why: z.string(),
    }),
    /** The result of a model's reading test. A model that fails decides no claims. */
    factSchema('reader.examined', {
      model: z.string(),
      passed: z.boolean(),
      items: z.number().int(),
      errors: z.number().int(),
      /** How many statements the model called true that are not true. */
      called_true: z.number().int(),
      /**
       * Whether the model took the reading test in this run (`held`), or its result is known from an earlier run
       * (`profile`).
       */
      source: z.enum(['held', 'profile']),
      why: z.string(),
    }),
    /** The reader's finding about a claim, and the result of the second look. */
    factSchema('claim.read', {
      round,
      claim: z.string(),
      model: z.string(),
      finding: z.enum(FINDINGS),
      quotes: z.array(quotationSchema),
      /** The words that the reader has looked for. */
      sought: z.array(z.string()),
      second: z.enum(['true', 'false', 'undecided']).optional(),
      /** Whether the finding decides the claim. */
      counts: z.boolean(),
      why: z.string(),
      step: z.string(),
    }),
    /** The reader's answer to a control, a sentence with a known answer that code has mixed among the claims. */
    factSchema('reader.controlled', {
      round,
      model: z.string(),
      text: z.string(),
      /** The right answer. */
      key: z.enum(FINDINGS),
      /** The reader's answer. Absent if it gave none. */
      said: z.enum(FINDINGS).optional(),
      right: z.boolean(),
    }),
    /** A person who forked the run has changed the wording of a claim from here on. */
    factSchema('claim.edited', {
      claim: z.string(),
      round,
      text: z.string(),
      /** The claim's wording before this change. */
      was: z.string(),
    }),
    factSchema('claim.moved', {
      claim: z.string(),
      round,
      from: statusSchema,
      to: statusSchema,
      /**
       * What changed the status: the id of a verification, or (`superseded_by`) of the claim that superseded this
       * one.
       */
      verification: z.string().optional(),
      superseded_by: z.string().optional(),
      stance: stanceSchema.optional(),
      bearing: bearingSchema.optional(),
      /** How the claim was decided. Absent if it was superseded, and before edition 2 of the rules. */
      basis: z.enum(BASES).optional(),
      refs: z.array(z.string()).optional(),
      quotes: z.array(quotationSchema).optional(),
      why: z.string(),
    }),
    factSchema('decision.made', {
      id: z.string(),
      round,
      text: z.string(),
      cites: z.array(
        z.object({
          type: z.enum(['claim', 'verification', 'decision']),
          id: z.string(),
          relation: z.enum(['based-on', 'supported-by', 'supersedes']),
          takes_as: z.enum(['true', 'false']).optional(),
        }),
      ),
      /** The ids of claims for whose test the decision waits. */
      conditions: z.array(z.string()).optional(),
      made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
      round_artifact_refs: z.array(z.string()),
      step: z.string(),
    }),
    /** Code refused a decision of the lead, such as one that cites a record that does not exist. */
    factSchema('decision.refused', {
      round,
      text: z.string(),
      why: z.string(),
    }),
    factSchema('round.closed', {
      round,
      tensions: z.array(z.string()),
      impact: z.string(),
      /** The answer to the question so far, in the lead's words; a very long one is cut. Absent if there is none. */
      answer: z.string().optional(),
    }),
    /** The result of validating the records in phase F of a round, before the round's decisions are made. */
    factSchema('records.checked', {
      round,
      errors: z.array(z.string()),
      warnings: z.number().int(),
    }),
    factSchema('drift.checked', {
      round,
      verdict: z.enum(['PASS', 'FAIL', 'PARTIAL']),
      deviation_score: z.number().int().min(1).max(5),
      notes: z.string(),
    }),
    /** A seat's vote on the question. */
    factSchema('stance.taken', {
      round,
      seat: z.string(),
      /** The seat's model. Votes of related models count together. */
      model: z.string(),
      position: z.string(),
      /** What the seat would put on a ballot, in its own words. */
      option: z.string(),
      confidence: z.number().min(0).max(1),
      /** The existing claims, verdicts and places that the seat names as its reasons. */
      cites: z.array(z.string()),
      /** Whether the seat was shown the panel's records when it voted. */
      peers: z.boolean(),
      /** Whether the seat was asked once more at the end, without the words of the other seats. */
      again: z.boolean(),
      step: z.string(),
    }),
    factSchema('vote.counted', {
      round,
      peers: z.boolean(),
      /** Who grouped the options: the verifier, or code by their wording. */
      by: z.enum(['verifier', 'wording']),
      ballots: z.array(z.object({ seat: z.string(), model: z.string(), option: z.string() })),
    }),
    /**
     * Whether and why a seat's last vote differs from its first vote. This is found by asking the seat once more
     * without the words of the other seats.
     */
    factSchema('stance.compared', {
      round,
      seat: z.string(),
      label: z.enum(['unchanged', 'unstable', 'persuaded', 'conformed', 'unexplained']),
      why: z.string(),
      first: z.string(),
      alone: z.string(),
      peers: z.string(),
    }),
    factSchema('signals.read', {
      round,
      satisfied: z.number().int(),
      recommendation: z.enum(['stop', 'wrap-up', 'consider', 'continue']),
      why: z.string(),
      alarm: z.string().optional(),
      signals: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          state: z.enum(['satisfied', 'unsatisfied', 'uninformative']),
          value: z.number().nullable(),
          threshold: z.number().nullable(),
          why: z.string(),
        }),
      ),
    }),
    /** A person asked for a response to a failure mode, which is given in this round. */
    factSchema('failure-mode.answered', {
      round,
      id: z.string(),
      response: z.string(),
    }),
    factSchema('failure-mode.suspected', {
      round,
      id: z.string(),
      name: z.string(),
      why: z.string(),
      /** What is done about the failure mode after this round. Absent if the failure mode is only reported. */
      response: z.string().optional(),
    }),
  ] as const;

/**
 * The types of facts that the log of a deliberation in rounds may contain. Some of these types
 * belong to runs of every protocol, the others only to rounds.
 */
export const ROUNDS = defineVocabulary(
  () => [...KERNEL_FACTS, ...describeRoundFacts()],
  {},
  SQL_VIEWS,
);

/**
 * The content of a fact that only deliberations in rounds record. The run's id, the position in the
 * log and the time are left out.
 */
export type OwnBody = z.infer<ReturnType<typeof describeRoundFacts>[number]>;
/**
 * The content of any fact of a deliberation in rounds, without the run's id, the position in the
 * log and the time.
 */
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeRoundFacts>[number]
>;
/** The name of a fact's type, such as `claim.raised`. */
export type FactType = FactBody['type'];
/**
 * The content of a fact of type `T`, without the run's id, the position in the log and the time.
 */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/**
 * Any recorded fact of a deliberation in rounds, with the run's id, its position in the log and its
 * time.
 */
export type Fact = Envelope & FactBody;

/** Makes a fact to be recorded: `fact('run.ended', { status: 'done' })`. */
export const fact = ROUNDS.make;
