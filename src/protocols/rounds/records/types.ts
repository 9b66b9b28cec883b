/**
 * Schemas of the records of a deliberation: the lines of the JSONL files in `state/`. They accept
 * folders of other programs for the same method: unknown keys are dropped, and `null` means absent.
 */
import * as z from 'zod';
import { FINDINGS } from '../../entrance/findings.ts';

/** The four roles, in order. */
export const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;
/** The schema of a role's name. */
export const roleSchema = z.enum(ROLES);
/** The name of a role. */
export type Role = z.infer<typeof roleSchema>;

/** The texts of a folder's files by path, such as `state/claims.jsonl`. */
export type Folder = ReadonlyMap<string, string>;

/** The highest round number in records. Runs have at most 100 rounds; other programs may write more. */
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

function makeOptional<T extends z.ZodType>(item: T) {
  return item
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

function makeList<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items): readonly z.output<T>[] => items ?? []);
}

/** The statuses of decided claims. */
const TESTED = [
  'tested_confirmed',
  'tested_refuted',
  'partially_refuted',
  'tested_unclear',
] as const;
/** A status of a claim that was decided by a verdict, a reading, a test or a withdrawal. */
export type DecidedStatus = (typeof TESTED)[number];
/** All statuses of a claim. */
export const STATUSES = ['pending', ...TESTED, 'superseded'] as const;
/** The schema of a claim's status. */
export const statusSchema = z.enum(STATUSES);
/** The status of a claim. */
export type ClaimStatus = z.infer<typeof statusSchema>;

/** What would decide a claim: reading a text, running a command, or asking somebody. */
export const DECIDED_BY = ['reading', 'running', 'asking'] as const;
/** Whether a claim says that its subject holds (works as planned) or fails. */
export const SAYS = ['holds', 'fails'] as const;
/** Whether a claim is about a document, about the panel's plan, or about both. */
export const ABOUT = ['document', 'plan', 'both'] as const;

/** The schema of a line of `state/claims.jsonl`. */
export const claimSchema = z.object({
  /** The id `C-{round}-{seq}`. */
  id: z.string().min(1),
  round,
  raised_by: roleSchema,
  text: z.string(),
  /** The observable outcome that would decide the claim. */
  testable_as: text,
  /** The claim's latest status. */
  status: statusSchema,
  /** The id of the older claim that this claim replaces. */
  supersedes: optionalText,
  raised_at_artifact: optionalText,
  /**
   * What would decide the claim: reading, a running test or asking somebody. The original method of rounds has
   * neither this field of a claim nor those below.
   */
  decided_by: makeOptional(z.enum(DECIDED_BY)),
  /** Whether the claim says that something holds or fails. */
  says: makeOptional(z.enum(SAYS)),
  /** Whether the claim is about the document, about the panel's plan, or about both. */
  about: makeOptional(z.enum(ABOUT)),
  /** What in the answer would change if the claim were false. */
  if_false: makeOptional(z.string()),
  /**
   * The id of a decided claim that this claim contradicts. This claim supersedes it once this claim has stronger
   * grounds.
   */
  challenges: makeOptional(z.string()),
  /** The round in which the claim was superseded. If absent, it is the round in which the newer claim was raised. */
  superseded_in: makeOptional(round),
});
/** A claim in the records. */
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** The names of the four checks of each round, in order. */
export const CHECKS = [
  'critic_attack_on_action_trace',
  'guardian_vs_observer_walkthrough',
  'observer_friction_vs_critic_attack',
  'all_vs_prior_decisions',
] as const;
/** The value of a verification's field `check` for a test by a command. The original method of rounds lacks it. */
export const EXECUTED_TEST = 'executed_test';
/** The value of a verification's field `check` for a reading. The original method of rounds lacks it. */
export const SETTLED_BY_READING = 'settled_by_reading';
/** The value of a verification's field `check` for withdrawals of claims. The original method of rounds lacks it. */
export const CONCEDED = 'conceded';
/**
 * The values of a verification's field `check` that this program adds to the names of the four checks: for tests by a
 * command, for readings and for withdrawals.
 */
export const OWN_CHECKS = [EXECUTED_TEST, SETTLED_BY_READING, CONCEDED] as const;
/** The schema of `Check`. */
export const checkSchema = z.enum([...CHECKS, ...OWN_CHECKS]);
/** What a verification comes from: the name of one of the four checks of a round, a test, a reading or a withdrawal. */
export type Check = z.infer<typeof checkSchema>;

/** The schema of the result of a verification. */
export const resultSchema = z.enum(['BROKEN', 'ROBUST', 'UNCLEAR', 'NOT_APPLICABLE']);
/**
 * The result of a verification. BROKEN: what was checked fails. ROBUST: it holds. UNCLEAR: this cannot be told.
 * NOT_APPLICABLE: there was nothing to check, or the answer was invalid.
 */
export type Result = z.infer<typeof resultSchema>;

/**
 * The schema of whether the verdict ROBUST confirms a claim (`upholds`) or refutes it (`attacks`). A claim that says
 * that its subject, such as the plan, fails is refuted if the subject proves robust.
 */
export const stanceSchema = z.enum(['upholds', 'attacks']);
/** Whether the verdict ROBUST confirms a claim or refutes it; see `stanceSchema`. */
export type Stance = z.infer<typeof stanceSchema>;

/** The schema of how much of a claim a verdict decides: the whole or a part. */
export const bearingSchema = z.enum(['whole', 'part']);
/** How much of a claim a verdict decides: the whole or a part. */
export type Bearing = z.infer<typeof bearingSchema>;

/**
 * How a claim can be decided, weakest first: withdrawn by its role, argued by a check with
 * citations from both sides, read in the text, or tested by a command. A basis is overridden only by a
 * strictly stronger one, or a reading by a repeated reading.
 */
export const BASES = ['conceded', 'argued', 'read', 'executed'] as const;
/** How a claim was decided. */
export type Basis = (typeof BASES)[number];

/** The schema of a quotation from a text, and the place where code found it. */
export const quotationSchema = z.object({ text: z.string(), ref: z.string() });
/** A quotation from a text, and the place where code found it. */
export type Quotation = Readonly<z.infer<typeof quotationSchema>>;

const statusChangeSchema = z.object({
  claim_id: z.string(),
  from: statusSchema,
  to: statusSchema,
  /** Whether ROBUST confirms the claim (`upholds`) or refutes it. Absent in withdrawals and in foreign records. */
  stance: stanceSchema.nullish().transform((value) => value ?? undefined),
  /** Whether the verdict decides the whole claim or a part. Absent where `stance` is. */
  bearing: bearingSchema.nullish().transform((value) => value ?? undefined),
  /** How the claim was decided. Absent before edition 2 of the rules, and in folders of other programs. */
  basis: makeOptional(z.enum(BASES)),
  /** The places whose text decided the claim. Each has to be cited by a verification of the same round. */
  refs: makeOptional(z.array(z.string())),
  quotes: makeOptional(z.array(quotationSchema)),
  why: makeOptional(z.string()),
  /** The last round's number plus one, for a change at the synthesis (edition 1 of the rules). Otherwise absent. */
  round: makeOptional(round),
});
/** A change of a claim's status by a verification. */
export type StatusChange = Readonly<z.infer<typeof statusChangeSchema>>;

/** The schema of a line of `state/verifications.jsonl`. */
export const verificationSchema = z.object({
  /**
   * The id `V-{round}-{number}`. In each round, 1 to 4 are the verifier's four checks, which compare artifacts;
   * readings, tests and withdrawals get higher numbers.
   */
  id: z.string().min(1),
  round,
  check: checkSchema,
  result: resultSchema,
  /** The cited places: `artifacts/round_3/critic.md#attack-2`, `S-3#L10-L20`. */
  evidence_refs: makeList(z.string()),
  notes: text,
  claims_affected: makeList(z.string()),
  /**
   * The changes of claims' statuses by the verification. Absent if the program that wrote the folder does not
   * record them.
   */
  claim_status_changes: z
    .array(statusChangeSchema)
    .nullish()
    .transform((changes): readonly StatusChange[] | undefined => changes ?? undefined),
  /** Why the verifier's answer failed a check. Such an entry is no evidence. */
  degraded: makeOptional(z.string()),
});
/** A verification in the records: an entry that may decide claims. */
export type Verification = Readonly<z.infer<typeof verificationSchema>>;

const citationSchema = z.object({
  type: z.enum(['claim', 'verification', 'decision']),
  id: z.string(),
  relation: z.enum(['based-on', 'supported-by', 'supersedes']),
  /** For a cited claim: whether the decision assumes that the claim is true or false. Absent means true. */
  takes_as: makeOptional(z.enum(['true', 'false'])),
});
/** A decision's citation of a claim, a verification or another decision. */
export type Citation = Readonly<z.infer<typeof citationSchema>>;

/** The schema of a line of `state/decisions.jsonl`. */
export const decisionSchema = z.object({
  /** The id `D-{round}-{seq}`. */
  id: z.string().min(1),
  round,
  text: z.string(),
  cites: makeList(citationSchema),
  made_by: z.enum(['consensus', 'round_lead', 'adversary_concession']),
  round_artifact_refs: makeList(z.string()),
  /** The ids of claims for whose test the decision waits. */
  conditions: makeOptional(z.array(z.string())),
});
/** A decision in the records. */
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

/** The schema of a line of `state/lead_history.jsonl`. */
export const leadSchema = z.object({
  round,
  /** The leading role. Folders of other programs may have rounds without a lead. */
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
/** The lead and the absent role of a round. */
export type LeadEntry = Readonly<z.infer<typeof leadSchema>>;

/**
 * The schema of a line of `state/readings.jsonl`: the result of a reading test, a finding about a
 * claim, or a control with a known answer.
 */
export const readingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entrance'),
    model: z.string(),
    passed: z.boolean(),
    /** The number of statements in the test. */
    items: z.number().int(),
    /** The number of wrong answers. */
    errors: z.number().int(),
    /** The number of statements that the model called true although they are not. */
    called_true: z.number().int(),
    /**
     * Whether the model took the reading test in this run (`held`), or its result is known from an earlier run
     * (`profile`).
     */
    source: z.enum(['held', 'profile']),
  }),
  z.object({
    kind: z.literal('finding'),
    round,
    claim: z.string(),
    model: z.string(),
    finding: z.enum(FINDINGS),
    quotes: z.array(quotationSchema),
    /** For `absent`: the words that the reader searched for. */
    sought: z.array(z.string()),
    /** The result of the second look. Absent if there was none. */
    second: makeOptional(z.enum(['true', 'false', 'undecided'])),
    /** Whether the finding decided the claim; `why` gives the reason. */
    counts: z.boolean(),
    why: z.string(),
  }),
  z.object({
    kind: z.literal('control'),
    round,
    model: z.string(),
    /** The control sentence, which code has made from the text. */
    text: z.string(),
    key: z.enum(FINDINGS),
    said: makeOptional(z.enum(FINDINGS)),
    right: z.boolean(),
  }),
]);
/** A line of `state/readings.jsonl`. */
export type ReadingRecord = Readonly<z.infer<typeof readingSchema>>;

/**
 * The kinds of entries in the list of refusals: what code can refuse, such as a claim or a quotation, and
 * `call`, a call that failed.
 */
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
/** The schema of a line of `state/refusals.jsonl`: an entry that code refused, with the reason. */
export const refusalSchema = z.object({
  round,
  kind: z.enum(REFUSED),
  /** The author: the id of a seat, which is a role or `verifier`. For a failed call, the seat that was asked. */
  by: z.string(),
  /** The id of the claim or verification concerned. Absent if there is none, or if only `text` names it. */
  id: makeOptional(z.string()),
  /**
   * The text of what code refused, such as a claim or a quotation. For a failed call (`kind` is `call`), the key of its
   * step.
   */
  text: z.string(),
  why: z.string(),
});
/** An entry that code refused, with the reason. */
export type RefusedEntry = Readonly<z.infer<typeof refusalSchema>>;

/** The schema of a line of `state/sources.jsonl`: a tool result without its text. */
export const sourceSchema = z.object({
  /** The id by which the result is cited: `S-3`. */
  id: z.string().regex(/^S-\d{1,9}$/),
  round,
  seat: z.string(),
  tool: z.string(),
  /** A description in one line: `src/a.ts, lines 10-40 of 120`. */
  about: text,
  /** The number by which the first line is cited. */
  from: z.int().min(1),
  /**
   * The pages, slides or sheets in which the lines that the tool read are, each with the number of its first line in
   * the whole document. Absent if they are in none.
   */
  parts: makeOptional(z.array(z.object({ name: z.string(), from: z.int().min(1) })).readonly()),
  /** The tool server that gave the result, and when. Absent for local files. */
  fetched: makeOptional(z.object({ server: z.string(), address: z.string(), at: z.string() })),
});
/** A tool result that seats can cite. */
export type SourceRecord = Readonly<z.infer<typeof sourceSchema>>;

/** The schema of a line of `state/documents.jsonl`: how an attachment's text was extracted. */
export const documentSchema = z.looseObject({
  /** The attachment's name, which is also the path of its text below `attachments/`. */
  name: z.string(),
  /**
   * The pages, slides or sheets, each with the number of its first line. In `p3L10`, line 10 is counted from the
   * first line of page 3.
   */
  parts: makeOptional(z.array(z.object({ name: z.string(), from: z.int().min(1) }))),
});

/** The schema of the part of `run.json` that the records need. */
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
  rules: makeOptional(z.literal(2)),
  signals: makeOptional(z.literal(2)),
  completed: makeOptional(z.array(round)),
});

/** Returns whether a claim with this status is decided: neither `pending` nor `superseded`. */
export function isDecidedStatus(status: ClaimStatus): status is DecidedStatus {
  return status !== 'pending' && status !== 'superseded';
}
