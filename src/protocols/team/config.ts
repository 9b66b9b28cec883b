/**
 * Defines the settings of a team's run. They are recorded when it starts and are the same for every
 * attempt.
 */
import * as z from 'zod';
import { FORGE_KINDS } from '../../kernel/tools/workshop.ts';
import { attachedSchema } from '../common/prompts/attached.ts';
import { lookSchema } from '../common/settings/look-config.ts';
import { workshopSchema } from '../common/settings/workshop.ts';
import { LEVELS } from './forms/plan.ts';
import { specSchema } from './rules/spec.ts';

/** The name under which seats find the repository among the folders that they may read. */
export const ROOT = 'repo';

/**
 * The ids of a team's seats. `t1` plans and accepts the work, `t2-lead` and `t2` design it, `t3`
 * divides it into tasks, `t4` does them, and two verifiers, `t5-1` and `t5-2`, who may disagree,
 * check the result.
 */
export const SEATS = ['t1', 't2-lead', 't2', 't3', 't4', 't5-1', 't5-2'] as const;
/** The id of a team's seat, such as `t2-lead`. */
export type SeatId = (typeof SEATS)[number];

const levelSchema = z.enum(LEVELS);

const specialistSchema = z.object({
  slug: z.string(),
  name: z.string(),
  /** A line on what the specialist is good at, by which T1 (the seat that plans) chooses. */
  about: z.string(),
  brief: z.string(),
  /** The tiers that the specialist suits. Absent in old runs, in which a person sees the plan without its cast. */
  tiers: z.array(z.string()).optional(),
});
/**
 * A specialist of a team, such as a code reviewer: an agent from a file, whose instructions (`brief`)
 * the plan can give to a seat.
 */
export type Specialist = z.infer<typeof specialistSchema>;

/** The schema of a team's settings. */
export const configSchema = z.object({
  look: lookSchema,
  workshop: workshopSchema,
  /** The model of each capability level. */
  levels: z.record(levelSchema, z.string()),
  /** For each seat: its capability level, and a model that overrides the model of that level. */
  tiers: z.record(z.string(), z.object({ level: levelSchema, model: z.string().optional() })),
  specialists: z.array(specialistSchema),
  /** Who does the work on tasks (T4): a model with the run's own tools, or the program of a coding agent. */
  runtime: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('standard') }),
    z.object({
      kind: z.enum(['command', 'acp']),
      argv: z.array(z.string()).min(1),
      timeoutS: z.number().int().positive(),
    }),
  ]),
  /**
   * How many turns (calls) a seat that works on a task may take before it reports. Whenever code sends the
   * work back, the seat may take this many turns again.
   */
  turns: z.number().int().min(2).max(60),
  /** How many tasks run at the same time, at most. */
  parallel: z.number().int().min(1).max(16),
  /** How many verifiers each workstream has. */
  verifiers: z.number().int().min(1).max(2),
  /** True if the run was started with `--unsandboxed`, which allows checks without a sandbox. */
  unsandboxed: z.literal(true).optional(),
  /** The spec of the plan that the run carries out. */
  spec: specSchema.optional(),
  /** True if the first attempt of the run stops when there is a plan, before the person is asked to approve it. */
  planOnly: z.literal(true).optional(),
  /**
   * The version of the team's rules and prompts, which never changes in a run. Absent in runs from before
   * version 2.
   * - 2: tasks may be split, work that belongs to no squad is given to a task, and a person chooses what
   *   checks may use.
   * - 3: no task may change a verifier's failed test. The tests of the seat that did the work are no proof.
   *   Acceptance tests are written on every path. A new plan keeps what a person approved, and a blocked task
   *   keeps its finished work.
   * - 4: a workstream that others build on is verified before these begin, and prompts list green checks in
   *   one line.
   * - 5: a verifier's "no" holds until the same verifier shows a "yes". A check that cannot start proves
   *   nothing. Each set of locked tests has to run. No requirement is called met while merged work is red.
   * - 6: whoever is asked again for a refused plan is told what would be right, such as the ids of its checks, and
   *   code mends contradictions of a plan that leave it no choice.
   * - 7: code mends further contradictions, such as a plan in which T1 answers the goal itself and also names
   *   workstreams, or a workstream that waits for itself. Whoever criticises the plan is told which of the
   *   plan's files the repository has in another folder.
   * - 8: a check that is red on the base fails on a commit with more failed tests, or without the count of
   *   tests that it prints on the base.
   */
  version: z.literal([2, 3, 4, 5, 6, 7, 8]).optional(),
  /** How the work is delivered to the person's repository if nobody answers the question about it. */
  deliver: z.enum(['branch', 'forward', 'request']),
  /** Where pull requests are opened; absent: derived from the host of the git remote. */
  forge: z.enum(FORGE_KINDS).optional(),
  /**
   * Who is named as the author of the delivered commits, of which there is one for each task. Absent in old
   * runs, which deliver their commits as they were made.
   */
  author: z.enum(['person', 'deliberate']).optional(),
  /** Folders and files that git ignores, and that the person provides for checks. */
  provide: z.array(z.string()),
  /** A command that runs once in the run, before any check. What it creates is kept for checks. Absent if none. */
  setUp: z.array(z.string()).optional(),
  /** The documents that a person attached; the prompt of every seat contains them after the goal. */
  attachments: attachedSchema,
  seed: z.number().int(),
  /** The models that a fork gives to seats, each from the step `from` on. */
  changes: z.array(z.object({ from: z.string(), seat: z.string(), model: z.string() })).optional(),
});
/** The settings of a team's run. */
export type TeamConfig = z.infer<typeof configSchema>;

/** The settings that select the latest rules, for new runs. Older runs keep the rules they began with. */
export const LATEST = { version: 8 } as const satisfies Partial<TeamConfig>;

/**
 * The key of the step that asks a person whether checks (commands that test the work) may run
 * without a sandbox.
 */
export const UNSANDBOXED_STEP = 'base/unboxed';

/**
 * Default settings: how many turns (calls) a try at a task may take, how many tasks are worked
 * on at the same time, and how many verifiers each workstream has.
 */
export const DEFAULTS = { turns: 24, parallel: 4, verifiers: 2 } as const;

/** The default capability level of each seat, to which the settings assign a model. */
export const TIER_LEVELS = {
  t1: 'reasoning-heavy',
  't2-lead': 'reasoning-heavy',
  t2: 'capable',
  t3: 'capable',
  t4: 'fast-cheap',
  't5-1': 'capable',
  't5-2': 'capable',
} as const satisfies Record<SeatId, (typeof LEVELS)[number]>;
