/**
 * Defines T1's first answers: the plan and its critique. Their schemas are strict and flat without optional
 * fields; an empty text means that there is none.
 */
import * as z from 'zod';

/**
 * The schema of an id of a workstream, task, check or domain: a lower-case letter, then lower-case
 * letters, digits and hyphens, at most 24 characters.
 */
export const idSchema = z.string().regex(/^[a-z][a-z0-9-]{0,23}$/);
/** The schema of a requirement's id, such as `R1`. */
export const requirementId = z.string().regex(/^R\d{1,3}$/);

/** The capability levels of models, from the cheapest to the strongest. */
export const LEVELS = ['fast-cheap', 'capable', 'reasoning-heavy'] as const;
/** A capability level, to which the settings assign a model. */
export type Level = (typeof LEVELS)[number];

/**
 * Which tiers a workstream goes through. `T2-T5`: design, division into tasks, work and
 * verification. `T3-T5`: without a design. `T4-T5`: a single task, without a squad's lead.
 */
export const PATHS = ['T2-T5', 'T3-T5', 'T4-T5'] as const;

/** The schema of a task: a piece of work for one implementer. */
export const taskSchema = z.strictObject({
  id: idSchema,
  workstream: idSchema,
  title: z.string(),
  /**
   * The files that the task holds, as paths of files or folders, or as globs. No other task may change them at
   * the same time.
   */
  files: z.array(z.string()).min(1),
  changes_tests: z.array(z.strictObject({ file: z.string(), why: z.string() })),
  depends_on: z.array(idSchema),
  covers: z.array(requirementId),
  brief: z.string(),
  done_when: z.string(),
  checks: z.array(idSchema).min(1),
});
/** A task: a piece of work for one implementer. */
export type Task = z.infer<typeof taskSchema>;

const checkSchema = z.strictObject({
  id: idSchema,
  argv: z.array(z.string()).min(1),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  timeout_s: z.int(),
  /** Whether the survey suggested exactly this check. The model says so, and code verifies it. */
  from_survey: z.boolean(),
});

/**
 * The schema of a team's plan: requirements, workstreams, checks, and which specialist plays which
 * seat.
 */
export const planSchema = z.strictObject({
  /**
   * T1's answer if no team is needed, or why T1 gives up; there are no workstreams then. Empty if a team is needed.
   */
  no_team: z.string(),
  requirements: z.array(
    z.strictObject({
      id: requirementId,
      text: z.string(),
      proof: z.enum(['test', 'check', 'read']),
    }),
  ),
  /** Why the plan needs T2 or T3, for each of the two that it uses. */
  tiers: z.array(z.strictObject({ tier: z.enum(['T2', 'T3']), why: z.string() })),
  workstreams: z.array(
    z.strictObject({
      id: idSchema,
      goal: z.string(),
      path: z.enum(PATHS),
      depends_on: z.array(idSchema),
      covers: z.array(requirementId),
      retry_multiplier: z.union([z.literal(1), z.literal(2)]),
      /** The only task of a `T4-T5` workstream, which has no squad lead; null on other paths. */
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
  /** Globs of files that are tests. */
  tests: z.array(z.string()),
  /** Globs of files that decide what a check means, such as its configuration. */
  guarded: z.array(z.string()),
  /** Questions for the person, shown when the plan is to be approved. */
  questions: z.array(z.string()),
});
/** A team's plan: requirements, workstreams, checks, and which specialist plays which seat. */
export type TeamPlan = z.infer<typeof planSchema>;
/**
 * A part of a team's plan: tasks that belong together. Its `path` names the tiers that work on it.
 */
export type Workstream = TeamPlan['workstreams'][number];

/** The schema of what the planning seat finds wrong with its own plan, with the changed plan. */
export const critiqueSchema = z.strictObject({
  found: z.array(z.strictObject({ what: z.string(), change: z.string() })),
  /** Null if the plan stays as it is, so that it need not be written out again. */
  plan: planSchema.nullable(),
});
/** What the planning seat finds wrong with its own plan, with the changed plan. */
export type Critique = z.infer<typeof critiqueSchema>;
