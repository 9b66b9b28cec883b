/** What T1 hands in at first: requirements, workstreams, checks. Strict and flat, nothing optional: an empty text says none. */
import * as z from 'zod';

/** Of workstreams, tasks, checks and domains: letters, digits and dashes, at most 24. */
export const idSchema = z.string().regex(/^[a-z][a-z0-9-]{0,23}$/);
export const requirementId = z.string().regex(/^R\d{1,3}$/);

export const LEVELS = ['fast-cheap', 'capable', 'reasoning-heavy'] as const;
export type Level = (typeof LEVELS)[number];

/** How deep a workstream goes: with a design, with a squad's lead, or straight to the work. */
export const PATHS = ['T2-T5', 'T3-T5', 'T4-T5'] as const;

export const taskSchema = z.strictObject({
  id: idSchema,
  workstream: idSchema,
  title: z.string(),
  /** What the task holds: no other task may change these while it does. Paths, or globs of one folder. */
  files: z.array(z.string()).min(1),
  changes_tests: z.array(z.strictObject({ file: z.string(), why: z.string() })),
  depends_on: z.array(idSchema),
  covers: z.array(requirementId),
  brief: z.string(),
  done_when: z.string(),
  checks: z.array(idSchema).min(1),
});
export type Task = z.infer<typeof taskSchema>;

const checkSchema = z.strictObject({
  id: idSchema,
  argv: z.array(z.string()).min(1),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  timeout_s: z.int(),
  /** Whether the survey suggested it, to the letter: code looks. */
  from_survey: z.boolean(),
});

export const planSchema = z.strictObject({
  /** The answer where no team is needed; then there are no workstreams. */
  no_team: z.string(),
  requirements: z.array(
    z.strictObject({
      id: requirementId,
      text: z.string(),
      proof: z.enum(['test', 'check', 'read']),
    }),
  ),
  /** What each tier above T4 is for. */
  tiers: z.array(z.strictObject({ tier: z.enum(['T2', 'T3']), why: z.string() })),
  workstreams: z.array(
    z.strictObject({
      id: idSchema,
      goal: z.string(),
      path: z.enum(PATHS),
      depends_on: z.array(idSchema),
      covers: z.array(requirementId),
      retry_multiplier: z.union([z.literal(1), z.literal(2)]),
      /** On `T4-T5`, and only there: code plays T3. */
      task: taskSchema.nullable(),
    }),
  ),
  cast: z.array(
    z.strictObject({
      tier: z.enum(['T2-lead', 'T2', 'T3', 'T4', 'T5']),
      workstream: z.string(),
      domain: z.string(),
      specialist: z.string(),
    }),
  ),
  checks: z.array(checkSchema),
  /** Globs of tests. */
  tests: z.array(z.string()),
  /** Globs of files that decide what a check means. */
  guarded: z.array(z.string()),
  /** For the person, shown at the gate. */
  questions: z.array(z.string()),
});
export type TeamPlan = z.infer<typeof planSchema>;
export type Workstream = TeamPlan['workstreams'][number];

/** T1's second call: what it finds wrong with its plan, and the plan as it is to be. */
export const critiqueSchema = z.strictObject({
  found: z.array(z.strictObject({ what: z.string(), change: z.string() })),
  /** Null: it stands as it is, and nobody pays for having it written out again. */
  plan: planSchema.nullable(),
});
export type Critique = z.infer<typeof critiqueSchema>;
