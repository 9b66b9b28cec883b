/**
 * The part of the vocabulary that structured deliberation needs: rounds, artifacts, verdicts, claims,
 * decisions, and what is read off them. Field names inside records are those of the JSONL files.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { type Envelope, vocabulary } from '../../kernel/vocabulary.ts';
import { FINDINGS } from '../entrance/findings.ts';
import { ABOUT, BASES, DECIDED_BY, quotationSchema, REFUSED, SAYS } from './records/types.ts';
import { SQL_VIEWS } from './sql-views.ts';

/** The four roles of a deliberation. */
export const roleSchema = z.enum(['action', 'guardian', 'observer', 'critic']);
/** The possible statuses of a claim. */
export const claimStatusSchema = z.enum([
  'pending',
  'tested_confirmed',
  'tested_refuted',
  'partially_refuted',
  'tested_unclear',
  'superseded',
]);
const round = z.number().int().positive();

/** Whether the effects that were predicted for a role's absence have happened. */
export const signatureSchema = z.object({
  observed: z.array(
    z.object({
      prediction: z.string(),
      happened: z.enum(['yes', 'no', 'partly']),
      where: z.string(),
    }),
  ),
  /** Whether the round would have looked the same with the role present. */
  decorative: z.boolean(),
  notes: z.string(),
});

/** Returns the schemas of the facts of deliberations in rounds. */
export const describeRoundFacts = () =>
  [
    z.object({
      v: z.literal(1),
      type: z.literal('round.started'),
      round,
      lead: roleSchema,
      /** The role that a stress round does without. */
      absent: roleSchema.optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('phase.entered'),
      round,
      phase: z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'synthesis']),
    }),
    /** Before a stress round: how its lead expects the absence to show. */
    z.object({
      v: z.literal(1),
      type: z.literal('stress.predicted'),
      round,
      absent: roleSchema,
      signature: z.array(z.string()),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('stress.compared'),
      round,
      absent: roleSchema,
      ...signatureSchema.shape,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('artifact.produced'),
      round,
      role: roleSchema,
      /** `artifacts/round_3/critic.md`: what evidence refers to. */
      path: z.string(),
      markdown: z.string(),
      /** The call that wrote it. */
      step: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('verification.recorded'),
      id: z.string(),
      round,
      check: z.enum([
        'critic_attack_on_action_trace',
        'guardian_vs_observer_walkthrough',
        'observer_friction_vs_critic_attack',
        'all_vs_prior_decisions',
        // A test by a command that a person approved; see `evidence.recorded`.
        'executed_test',
        // Decisions by reading the texts, and withdrawals by a claim's own role.
        'settled_by_reading',
        'conceded',
      ]),
      result: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE']),
      evidence_refs: z.array(z.string()),
      notes: z.string(),
      /** What the verifier weighed before it judged; absent in runs of before. */
      reasoning: z.string().optional(),
      /** Why the verifier's own answer could not stand: it cited what does not exist. */
      degraded: z.string().optional(),
      /** The call that answered; absent where there was nothing to check. */
      step: z.string().optional(),
    }),
    /** A claim was put to the test by a command that a person approved, between two attempts. */
    z.object({
      v: z.literal(1),
      type: z.literal('evidence.recorded'),
      /** `E-{round}-{seq}`, under the round that had begun last. */
      id: z.string(),
      round,
      claim: z.string(),
      /** The verdict that follows from it. */
      verification: z.string(),
      /** What the shell was given, with `[key]` for a secret that stood in it. */
      command: z.string(),
      cwd: z.string(),
      timeoutMs: z.number(),
      /** Which outcome was to confirm the claim, said before the command ran. */
      confirmsOn: z.enum(['success', 'failure']),
      /** Null where a signal ended it. */
      exit: z.number().int().nullable(),
      signal: z.string().nullable(),
      timedOut: z.boolean(),
      durationMs: z.number(),
      /** Of everything it wrote, kept or not. */
      sha256: z.string(),
      bytes: z.number().int(),
      /** What is kept of it: head and tail, and how much was left out between them. */
      output: z.string(),
      cutBytes: z.number().int(),
      /** Secrets that were replaced in what is kept; records of before have none replaced. */
      concealed: z.number().int().optional(),
      /** The variables that it saw, by name alone; records of before do not say. */
      environment: z.array(z.string()).optional(),
      /** The shell that ran the command, in words; absent: /bin/sh. */
      shell: z.string().optional(),
      approvedBy: z.enum(['person', '--yes']),
      /** `evidence/E-3-1.md`: what verdicts cite. */
      path: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('claim.raised'),
      id: z.string(),
      round,
      raised_by: roleSchema,
      text: z.string(),
      testable_as: z.string(),
      supersedes: z.string().optional(),
      raised_at_artifact: z.string().optional(),
      /** These came with the second rules; see `claimSchema` of the records. */
      decided_by: z.enum(DECIDED_BY).optional(),
      says: z.enum(SAYS).optional(),
      about: z.enum(ABOUT).optional(),
      if_false: z.string().optional(),
      challenges: z.string().optional(),
      step: z.string(),
    }),
    /** Something that was said and could not stand: a claim, a concession, what a verdict was to mean. */
    z.object({
      v: z.literal(1),
      type: z.literal('refusal.recorded'),
      round,
      kind: z.enum(REFUSED),
      /** A role, `verifier`, or the step of a call that failed. */
      by: z.string(),
      /** The claim or verification it is about; absent where it never got an id. */
      id: z.string().optional(),
      text: z.string(),
      why: z.string(),
    }),
    /** How well a model reads, by a text whose answers are known: who fails settles nothing. */
    z.object({
      v: z.literal(1),
      type: z.literal('reader.examined'),
      model: z.string(),
      passed: z.boolean(),
      items: z.number().int(),
      errors: z.number().int(),
      /** Items that are not true and were called true. */
      called_true: z.number().int(),
      /** Held for this run, or known of the model from before. */
      source: z.enum(['held', 'profile']),
      why: z.string(),
    }),
    /** What a reader found of a claim in the text, and whether a second look found the same. */
    z.object({
      v: z.literal(1),
      type: z.literal('claim.read'),
      round,
      claim: z.string(),
      model: z.string(),
      finding: z.enum(FINDINGS),
      quotes: z.array(quotationSchema),
      sought: z.array(z.string()),
      second: z.enum(['true', 'false', 'undecided']).optional(),
      counts: z.boolean(),
      why: z.string(),
      step: z.string(),
    }),
    /** A sentence made from the text by code and put among the claims: what the reader said of it. */
    z.object({
      v: z.literal(1),
      type: z.literal('reader.controlled'),
      round,
      model: z.string(),
      text: z.string(),
      key: z.enum(FINDINGS),
      said: z.enum(FINDINGS).optional(),
      right: z.boolean(),
    }),
    /** A person who forked the run made a claim read differently from here on. */
    z.object({
      v: z.literal(1),
      type: z.literal('claim.edited'),
      claim: z.string(),
      round,
      text: z.string(),
      /** What it read until now. */
      was: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('claim.moved'),
      claim: z.string(),
      round,
      from: claimStatusSchema,
      to: claimStatusSchema,
      /** What moved it: a verdict, or the claim that supersedes it. */
      verification: z.string().optional(),
      superseded_by: z.string().optional(),
      stance: z.enum(['upholds', 'attacks']).optional(),
      bearing: z.enum(['whole', 'part']).optional(),
      /** How the status was come by; absent in runs held under the first rules. */
      basis: z.enum(BASES).optional(),
      refs: z.array(z.string()).optional(),
      quotes: z.array(quotationSchema).optional(),
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('decision.made'),
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
      /** Claims whose test it waits for. */
      conditions: z.array(z.string()).optional(),
      made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
      round_artifact_refs: z.array(z.string()),
      step: z.string(),
    }),
    /** A decision that cites what does not exist, also when asked again: logged, and not taken. */
    z.object({
      v: z.literal(1),
      type: z.literal('decision.refused'),
      round,
      text: z.string(),
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('round.closed'),
      round,
      tensions: z.array(z.string()),
      impact: z.string(),
      /** The answer to the question as it stands, kept by the lead. */
      answer: z.string().optional(),
    }),
    /** What the records' own validator says of a round, before anything is decided on them. */
    z.object({
      v: z.literal(1),
      type: z.literal('records.checked'),
      round,
      errors: z.array(z.string()),
      warnings: z.number().int(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('drift.checked'),
      round,
      verdict: z.enum(['PASS', 'FAIL', 'PARTIAL']),
      deviation_score: z.number().int().min(1).max(5),
      notes: z.string(),
    }),
    /** Where a seat stands on the question: the plain vote. */
    z.object({
      v: z.literal(1),
      type: z.literal('stance.taken'),
      round,
      seat: z.string(),
      /** Who played the seat: votes of one lineage count together. */
      model: z.string(),
      position: z.string(),
      /** What the seat would put on a ballot, in a few words of its own. */
      option: z.string(),
      confidence: z.number().min(0).max(1),
      /** Claims, verdicts and places it names as what decides it; only those that exist. */
      cites: z.array(z.string()),
      /** Whether it knew what the panel has on record. */
      peers: z.boolean(),
      /** The no-peer control: asked once more, still alone. */
      again: z.boolean(),
      step: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('vote.counted'),
      round,
      peers: z.boolean(),
      /** Who found which options are one choice: the verifier, or code by their wording. */
      by: z.enum(['verifier', 'wording']),
      ballots: z.array(z.object({ seat: z.string(), model: z.string(), option: z.string() })),
    }),
    /** The no-peer control: what became of a seat's first stance, and by what. */
    z.object({
      v: z.literal(1),
      type: z.literal('stance.compared'),
      round,
      seat: z.string(),
      label: z.enum(['unchanged', 'unstable', 'persuaded', 'conformed', 'unexplained']),
      why: z.string(),
      first: z.string(),
      alone: z.string(),
      peers: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('signals.read'),
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
    /** What was done about a suspicion because a person asked for it, from this round on. */
    z.object({
      v: z.literal(1),
      type: z.literal('failure-mode.answered'),
      round,
      id: z.string(),
      response: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('failure-mode.suspected'),
      round,
      id: z.string(),
      name: z.string(),
      why: z.string(),
      /** What was done about it; absent where it was only reported. */
      response: z.string().optional(),
    }),
  ] as const;

/** The fact types of a deliberation in rounds: those of the kernel and its own. */
export const ROUNDS = vocabulary(() => [...KERNEL_FACTS, ...describeRoundFacts()], {}, SQL_VIEWS);

/** A fact of rounds that is not a fact of the kernel, without run, number and time. */
export type OwnBody = z.infer<ReturnType<typeof describeRoundFacts>[number]>;
/** Any fact of a deliberation in rounds, without run, number and time. */
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeRoundFacts>[number]
>;
/** The name of a fact's type, such as `claim.raised`. */
export type FactType = FactBody['type'];
/** The fact of type `T`, without run, number and time. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;
/** Any fact of a deliberation in rounds, with run, number and time. */
export type Fact = Envelope & FactBody;

/** Makes a fact to be recorded: `fact('run.ended', { status: 'done' })`. */
export const fact = ROUNDS.make;
