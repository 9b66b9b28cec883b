/**
 * What a structured deliberation leaves behind, as schemas: one JSON object a line in `state/`. They
 * read what anybody wrote under the same method, so unknown keys are dropped, `null` stands for
 * absent, and what only our own folders carry is optional.
 */
import * as z from 'zod';

export const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** A folder's text by path, `/` between the parts, no leading slash: `state/claims.jsonl`. */
export type Folder = ReadonlyMap<string, string>;

/**
 * No deliberation comes near it (the method's longest budget is 20); it keeps a folder that says
 * round 1,000,000,000 from being walked round by round.
 */
export const MAX_ROUND = 1000;
const round = z.int().min(1).max(MAX_ROUND);

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

function list<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items): readonly z.output<T>[] => items ?? []);
}

/** What a verdict can make of a claim. */
const TESTED = [
  'tested_confirmed',
  'tested_refuted',
  'partially_refuted',
  'tested_unclear',
] as const;
export type TestedStatus = (typeof TESTED)[number];
export const STATUSES = ['pending', ...TESTED, 'superseded'] as const;
export const statusSchema = z.enum(STATUSES);
export type ClaimStatus = z.infer<typeof statusSchema>;

export const claimSchema = z.object({
  /** `C-{round}-{seq}` */
  id: z.string().min(1),
  round,
  raised_by: roleSchema,
  text: z.string(),
  /** The one observable outcome that would settle it. */
  testable_as: text,
  /** The latest one. */
  status: statusSchema,
  /** The claim this one replaces. */
  supersedes: optionalText,
  raised_at_artifact: optionalText,
});
export type Claim = Readonly<z.infer<typeof claimSchema>>;

export const CHECKS = [
  'critic_attack_on_action_trace',
  'guardian_vs_observer_walkthrough',
  'observer_friction_vs_critic_attack',
  'all_vs_prior_decisions',
] as const;
/**
 * The fifth is ours: a test that was not argued but run. The method's own tools take any name here, and
 * none of its four would be true.
 */
export const EXECUTED_TEST = 'executed_test';
export const checkSchema = z.enum([...CHECKS, EXECUTED_TEST]);
export type Check = z.infer<typeof checkSchema>;

export const resultSchema = z.enum(['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE']);
export type Result = z.infer<typeof resultSchema>;

/** Whether the claim says that what was tested holds, or that it fails. */
export const stanceSchema = z.enum(['upholds', 'attacks']);
export type Stance = z.infer<typeof stanceSchema>;

/** Whether the verdict settles all of the claim. */
export const bearingSchema = z.enum(['whole', 'part']);
export type Bearing = z.infer<typeof bearingSchema>;

export const statusChangeSchema = z.object({
  claim_id: z.string(),
  from: statusSchema,
  to: statusSchema,
  /** These two are ours: with them anybody can work the change out again. */
  stance: stanceSchema.nullish().transform((value) => value ?? undefined),
  bearing: bearingSchema.nullish().transform((value) => value ?? undefined),
});
export type StatusChange = Readonly<z.infer<typeof statusChangeSchema>>;

export const verificationSchema = z.object({
  /** `V-{round}-{check}` */
  id: z.string().min(1),
  round,
  check: checkSchema,
  result: resultSchema,
  /** `artifacts/round_3/critic.md#attack-2`, `attachments/plan.md#L10-L20` */
  evidence_refs: list(z.string()),
  notes: text,
  claims_affected: list(z.string()),
  /** Absent where the writer of the folder kept no such record; empty where nothing moved. */
  claim_status_changes: z
    .array(statusChangeSchema)
    .nullish()
    .transform((changes): readonly StatusChange[] | undefined => changes ?? undefined),
});
export type Verification = Readonly<z.infer<typeof verificationSchema>>;

export const citationSchema = z.object({
  type: z.enum(['claim', 'verification', 'decision']),
  id: z.string(),
  relation: z.enum(['based-on', 'supported-by', 'supersedes']),
});
export type Citation = Readonly<z.infer<typeof citationSchema>>;

export const decisionSchema = z.object({
  /** `D-{round}-{seq}` */
  id: z.string().min(1),
  round,
  text: z.string(),
  cites: list(citationSchema),
  made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
  round_artifact_refs: list(z.string()),
});
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

export const leadSchema = z.object({
  round,
  /** The method's own tools also know rounds that nobody of the panel leads. */
  lead: z
    .enum([...ROLES, 'system', 'none'])
    .nullish()
    .transform((lead) => lead ?? 'none'),
  is_stress: z
    .boolean()
    .nullish()
    .transform((stress) => stress ?? false),
  absent_agent: roleSchema.nullish().transform((role) => role ?? null),
});
export type LeadEntry = Readonly<z.infer<typeof leadSchema>>;

export interface DriftCheck {
  readonly round: number;
  readonly verdict: 'PASS' | 'FAIL' | 'PARTIAL';
  /** 1 on the question to 5 off it; absent on a page that does not give it. */
  readonly deviation_score?: number | undefined;
  readonly notes: string;
}

export interface StressPlan {
  readonly round: number;
  readonly role: Role;
}

/** Everything that the validator, the signals and the failure modes are read from. */
export interface Records {
  /** One entry an id. */
  readonly claims: readonly Claim[];
  readonly verifications: readonly Verification[];
  readonly decisions: readonly Decision[];
  readonly leads: readonly LeadEntry[];
  readonly drifts: readonly DriftCheck[];
  readonly roles: readonly Role[];
  /** Paths of the artifacts that were produced; absent where that is not known. */
  readonly artifacts?: readonly string[] | undefined;
  /** Rounds planned, the synthesis round not counted. */
  readonly budget?: number | undefined;
  /** Absent where no plan is known; empty where no stress round was planned. */
  readonly stressSchedule?: readonly StressPlan[] | undefined;
  /** A drift check is due every so many rounds. */
  readonly driftEvery?: number | undefined;
  /** The number under which the synthesis round filed its records, if it did. It counts as no round. */
  readonly synthesisRound?: number | undefined;
  readonly question?: string | undefined;
}

export const NO_RECORDS: Records = {
  claims: [],
  verifications: [],
  decisions: [],
  leads: [],
  drifts: [],
  roles: ROLES,
};

/** The part of `run.json` that bears on the records; the rest of it is for people. */
export const runFileSchema = z.object({
  question: optionalText,
  roles: z
    .array(roleSchema)
    .min(1)
    .nullish()
    .transform((roles) => roles ?? undefined),
  budget: round.nullish().transform((value) => value ?? undefined),
  stress_schedule: z
    .array(z.object({ round, role: roleSchema }))
    .nullish()
    .transform((plan) => plan ?? undefined),
  drift_every: round.nullish().transform((value) => value ?? undefined),
  synthesis_round: round.nullish().transform((value) => value ?? undefined),
});

/** A claim that a verdict has settled one way or the other, as against pending or superseded. */
export function isTested(status: ClaimStatus): status is TestedStatus {
  return status !== 'pending' && status !== 'superseded';
}
