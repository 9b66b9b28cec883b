/**
 * The part of the vocabulary that structured deliberation needs: rounds, artifacts, verdicts, claims,
 * decisions, and what is read off them. Field names inside records are those of the JSONL files.
 */
import * as z from 'zod';

export const roleSchema = z.enum(['action', 'guardian', 'observer', 'critic']);
export const claimStatusSchema = z.enum([
  'pending',
  'tested_confirmed',
  'tested_refuted',
  'partially_refuted',
  'tested_unclear',
  'superseded',
]);
const round = z.number().int().positive();

export const ROUND_FACTS = [
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
    observed: z.array(
      z.object({
        prediction: z.string(),
        happened: z.enum(['yes', 'no', 'partly']),
        where: z.string(),
      }),
    ),
    decorative: z.boolean(),
    notes: z.string(),
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
    ]),
    result: z.enum(['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE']),
    evidence_refs: z.array(z.string()),
    notes: z.string(),
    /** Why the verifier's own answer could not stand: it cited what does not exist. */
    degraded: z.string().optional(),
    /** The call that answered; absent where there was nothing to check. */
    step: z.string().optional(),
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
    step: z.string(),
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
      }),
    ),
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
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('drift.checked'),
    round,
    verdict: z.enum(['PASS', 'FAIL', 'PARTIAL']),
    deviation_score: z.number().int().min(1).max(5),
    notes: z.string(),
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
