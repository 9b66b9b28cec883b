/**
 * What a structured deliberation leaves behind, as schemas: one JSON object a line in `state/`. They
 * read what anybody wrote under the same method, so unknown keys are dropped, `null` stands for
 * absent, and what only our own folders carry is optional.
 */
import * as z from 'zod';
import { FINDINGS } from '../../entrance/findings.ts';

export const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;
const roleSchema = z.enum(ROLES);
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

function optional<T extends z.ZodType>(item: T) {
  return item
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

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
const statusSchema = z.enum(STATUSES);
export type ClaimStatus = z.infer<typeof statusSchema>;

export const DECIDED_BY = ['reading', 'running', 'asking'] as const;
export const SAYS = ['holds', 'fails'] as const;
export const ABOUT = ['document', 'plan', 'both'] as const;

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
  /** From here on ours. What would decide it, as its seat says. */
  decided_by: optional(z.enum(DECIDED_BY)),
  /** Whether it says that what it speaks of holds or fails. */
  says: optional(z.enum(SAYS)),
  /** Whether it speaks of the document under discussion, of what the panel plans, or of both. */
  about: optional(z.enum(ABOUT)),
  /** What in the answer would change if it were false. */
  if_false: optional(z.string()),
  /** A decided claim that it denies; it supersedes that one once it rests on stronger grounds. */
  challenges: optional(z.string()),
  /** The round in which it was superseded, where that was later than its successor was raised. */
  superseded_in: optional(round),
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
/** Ours as well: what the text under discussion decided, and what a seat took back. */
export const SETTLED_BY_READING = 'settled_by_reading';
export const CONCEDED = 'conceded';
/** Entries that are no verdict of the panel's checks: they move claims and say nothing of agreement. */
export const OWN_CHECKS = [EXECUTED_TEST, SETTLED_BY_READING, CONCEDED] as const;
const checkSchema = z.enum([...CHECKS, ...OWN_CHECKS]);
export type Check = z.infer<typeof checkSchema>;

export const resultSchema = z.enum(['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE']);
export type Result = z.infer<typeof resultSchema>;

/** Whether the claim says that what was tested holds, or that it fails. */
export const stanceSchema = z.enum(['upholds', 'attacks']);
export type Stance = z.infer<typeof stanceSchema>;

/** Whether the verdict settles all of the claim. */
export const bearingSchema = z.enum(['whole', 'part']);
export type Bearing = z.infer<typeof bearingSchema>;

/**
 * How a status was come by, weakest first: a seat took the claim back, a check argued it from both
 * sides, the text says so, a command ran. Only a strictly stronger one overrides another.
 */
export const BASES = ['conceded', 'argued', 'read', 'executed'] as const;
export type Basis = (typeof BASES)[number];

/** Words that stand in the text under discussion, and where code has found them. */
export const quotationSchema = z.object({ text: z.string(), ref: z.string() });
export type Quotation = Readonly<z.infer<typeof quotationSchema>>;

const statusChangeSchema = z.object({
  claim_id: z.string(),
  from: statusSchema,
  to: statusSchema,
  /** These two are ours: with them anybody can work the change out again. */
  stance: stanceSchema.nullish().transform((value) => value ?? undefined),
  bearing: bearingSchema.nullish().transform((value) => value ?? undefined),
  /** Ours; absent in runs held under the first rules and in what others write. */
  basis: optional(z.enum(BASES)),
  /** The places that decided this change, among those of the verification. */
  refs: optional(z.array(z.string())),
  quotes: optional(z.array(quotationSchema)),
  why: optional(z.string()),
  /** Ours: the round in which it was made, where that is later than its verification's. */
  round: optional(round),
});
export type StatusChange = Readonly<z.infer<typeof statusChangeSchema>>;

export const verificationSchema = z.object({
  /** `V-{round}-{check}` */
  id: z.string().min(1),
  round,
  check: checkSchema,
  result: resultSchema,
  /** `artifacts/round_3/critic.md#attack-2`, `attachments/plan.md#L10-L20`, `S-3#L10-L20` */
  evidence_refs: list(z.string()),
  notes: text,
  claims_affected: list(z.string()),
  /** Absent where the writer of the folder kept no such record; empty where nothing moved. */
  claim_status_changes: z
    .array(statusChangeSchema)
    .nullish()
    .transform((changes): readonly StatusChange[] | undefined => changes ?? undefined),
  /** Why the verifier's answer could not stand: such an entry is no evidence of anything. */
  degraded: optional(z.string()),
});
export type Verification = Readonly<z.infer<typeof verificationSchema>>;

const citationSchema = z.object({
  type: z.enum(['claim', 'verification', 'decision']),
  id: z.string(),
  relation: z.enum(['based-on', 'supported-by', 'supersedes']),
  /** Ours: whether the decision rests on the claim being true (where it does not say: so) or on its being false. */
  takes_as: optional(z.enum(['true', 'false'])),
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
  /** Ours: claims whose test it waits for, in its own words "if C-2-1 holds". */
  conditions: optional(z.array(z.string())),
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

/**
 * A line of `state/readings.jsonl`: the reader's entrance, a finding about a claim, or a control whose
 * answer code knows.
 */
export const readingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entrance'),
    model: z.string(),
    passed: z.boolean(),
    /** Items put before it, how many it answered wrongly, and how many it called true that are not. */
    items: z.number().int(),
    errors: z.number().int(),
    called_true: z.number().int(),
    /** Held for this run, or known of the model from before. */
    source: z.enum(['held', 'profile']),
  }),
  z.object({
    kind: z.literal('finding'),
    round,
    claim: z.string(),
    model: z.string(),
    finding: z.enum(FINDINGS),
    quotes: z.array(quotationSchema),
    /** Words that it looked for, of `absent`. */
    sought: z.array(z.string()),
    /** What the reader that saw the claim and the quotations alone made of it; absent where nobody was asked. */
    second: optional(z.enum(['true', 'false', 'undecided'])),
    /** Whether it moved the claim, and why or why not. */
    counts: z.boolean(),
    why: z.string(),
  }),
  z.object({
    kind: z.literal('control'),
    round,
    model: z.string(),
    /** The sentence, which code has made from the text. */
    text: z.string(),
    key: z.enum(FINDINGS),
    said: optional(z.enum(FINDINGS)),
    right: z.boolean(),
  }),
]);
export type ReadingRecord = Readonly<z.infer<typeof readingSchema>>;

export const REFUSED = [
  'claim',
  'decision',
  'supersession',
  'concession',
  'verdict',
  'bearing',
  'finding',
  'quotation',
  'call',
] as const;
/** A line of `state/refusals.jsonl`: something that was said and could not stand, and why. */
export const refusalSchema = z.object({
  round,
  kind: z.enum(REFUSED),
  /** Who said it: a role, `verifier`, or a step where a call failed. */
  by: z.string(),
  /** What it is about: the id of a claim or a verification; absent where it never got one. */
  id: optional(z.string()),
  text: z.string(),
  why: z.string(),
});
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

/** A line of `state/sources.jsonl`: what a seat looked up. The text lies beside it, in `sources/`. */
export const sourceSchema = z.object({
  /** `S-3`, as it is cited. */
  id: z.string().regex(/^S-\d{1,9}$/),
  round,
  seat: z.string(),
  tool: z.string(),
  /** In a line: `src/a.ts, lines 10-40 of 120`. */
  about: text,
  /** By which number its first line is cited. */
  from: z.int().min(1),
  /** The pages, slides or sheets by which its lines are cited, with the number of their first line. */
  parts: optional(z.array(z.object({ name: z.string(), from: z.int().min(1) })).readonly()),
  /** Of a tool server's answer: which server gave it, and when. */
  fetched: optional(z.object({ server: z.string(), address: z.string(), at: z.string() })),
});
export type SourceRecord = Readonly<z.infer<typeof sourceSchema>>;

/**
 * A document among the texts under discussion. Further fields say how its text was extracted; they are for
 * people.
 */
export const documentSchema = z.looseObject({
  /** The attachment's name, under which its text lies below `attachments/`. */
  name: z.string(),
  /** Pages, slides or sheets with the number of their first line, from which the 10 in `p3L10` is counted. */
  parts: optional(z.array(z.object({ name: z.string(), from: z.int().min(1) }))),
});

/** What the lead left behind at the end of a round. */
interface Closing {
  readonly round: number;
  readonly tensions: readonly string[];
  /** The answer so far, in at most 150 words; absent in runs of before. */
  readonly answer?: string | undefined;
}

export interface Attack {
  readonly round: number;
  readonly target: string;
  readonly hypothesis: string;
}

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

/** The records of a deliberation: all that `validate`, the signals and the failure modes are computed from. */
export interface Records {
  /** One entry for each id. */
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
  /** Which rules it was held under; absent for the first. */
  readonly rules?: 2 | undefined;
  /** Which reading of the signals it is held by; absent for the first, where half of a peak is as good as less. */
  readonly signals?: 2 | undefined;
  /** Whether there is a text to read claims against; absent where that is not known. */
  readonly documents?: boolean | undefined;
  readonly readings?: readonly ReadingRecord[] | undefined;
  readonly refusals?: readonly Refusal[] | undefined;
  /** What seats looked up; absent where they could not, or found nothing. */
  readonly sources?: readonly SourceRecord[] | undefined;
  /** Only where the records come from a run: a folder has them on its pages. */
  readonly closings?: readonly Closing[] | undefined;
  /** What the Critic's attacks set out to show; absent where their pages are not known. */
  readonly attacks?: readonly Attack[] | undefined;
  /** Roles that were asked for an objection in a round and named nothing. Only where the records come from a run. */
  readonly unobjecting?: readonly { readonly round: number; readonly role: Role }[] | undefined;
  /** Rounds that went through all their phases; absent where that is not known (all that left a trace). */
  readonly completed?: readonly number[] | undefined;
}

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
  rules: optional(z.literal(2)),
  signals: optional(z.literal(2)),
  completed: optional(z.array(round)),
});

/** A claim that a verdict has settled one way or the other, as against pending or superseded. */
export function isTested(status: ClaimStatus): status is TestedStatus {
  return status !== 'pending' && status !== 'superseded';
}
