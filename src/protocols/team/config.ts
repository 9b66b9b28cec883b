/** What a team works with: recorded at its start, and the same for every attempt. */
import * as z from 'zod';
import { FORGE_KINDS } from '../../kernel/tools/workshop.ts';
import { attachedSchema } from '../common/attached.ts';
import { lookSchema } from '../common/look-config.ts';
import { workshopSchema } from '../common/workshop.ts';
import { LEVELS } from './forms/plan.ts';
import { specSchema } from './rules/spec.ts';

/** What the repository is called among the folders of the run. */
export const ROOT = 'repo';

/** The seats: one a tier, as often as it is called; verifiers are two, so that they can differ. */
export const SEATS = ['t1', 't2-lead', 't2', 't3', 't4', 't5-1', 't5-2'] as const;
export type SeatId = (typeof SEATS)[number];

const levelSchema = z.enum(LEVELS);

const specialistSchema = z.object({
  slug: z.string(),
  name: z.string(),
  /** What it is good at, in a line: by this T1 chooses. */
  about: z.string(),
  brief: z.string(),
  /** Of a pool in which each has tiers that it suits: the cast is told at the plan's gate, and can be changed. */
  tiers: z.array(z.string()).optional(),
});
export type Specialist = z.infer<typeof specialistSchema>;

export const configSchema = z.object({
  look: lookSchema,
  workshop: workshopSchema,
  /** The model of each capability level. */
  levels: z.record(levelSchema, z.string()),
  /** By seat: its level, and the model that plays it whatever the level says. */
  tiers: z.record(z.string(), z.object({ level: levelSchema, model: z.string().optional() })),
  specialists: z.array(specialistSchema),
  /** Who does T4's work: a model with the run's own tools, or a coding agent's program. */
  runtime: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('standard') }),
    z.object({
      kind: z.enum(['command', 'acp']),
      argv: z.array(z.string()).min(1),
      timeoutS: z.number().int().positive(),
    }),
  ]),
  /** Turns a task may take. */
  turns: z.number().int().min(2).max(60),
  /** Tasks at work at the same time, at most. */
  parallel: z.number().int().min(1).max(16),
  /** Verifiers of each workstream. */
  verifiers: z.number().int().min(1).max(2),
  /** The person has said beforehand, to the run that was begun by it, that checks may run without a sandbox. */
  unsandboxed: z.literal(true).optional(),
  /** Of the plan that it carries out. */
  spec: specSchema.optional(),
  /** Ends at the plan's gate: two calls. */
  planOnly: z.literal(true).optional(),
  /**
   * The version of the team's rules and prompts, which a run keeps for as long as it lives. Absent: a run
   * from before version 2.
   * - 2: tasks may be split, work that squads say is nobody's is given to a task, and a person chooses at the
   *   plan's gate what is provided.
   * - 3: a verifier's failed test is locked, only tests by somebody other than whoever did the work are
   *   proof, tests come first on every path, and corrections lose nothing.
   * - 4: a workstream that others build on is verified before those begin, and prompts list green checks in
   *   one line.
   * - 5: a verifier's "no" holds until the same verifier shows a "yes", a check that cannot start proves
   *   nothing, each set of locked tests has to run, and what is red when joined is no longer called met.
   */
  version: z.union([z.literal(2), z.literal(3), z.literal(4), z.literal(5)]).optional(),
  /** How the work is brought home where nobody is asked. */
  deliver: z.enum(['branch', 'forward', 'request']),
  /** Where requests are opened; absent: the host of the remote says so. */
  forge: z.enum(FORGE_KINDS).optional(),
  /** Whose commits come home, one a task. Absent: a run from before that, whose commits come as they were made. */
  author: z.enum(['person', 'deliberate']).optional(),
  /** Ignored folders and files that a person has provided for the checks beforehand. */
  provide: z.array(z.string()),
  /** Run once in a fresh tree before anything is checked. */
  setUp: z.array(z.string()).optional(),
  /** The documents that every seat is shown behind the goal. */
  attachments: attachedSchema,
  seed: z.number().int(),
  changes: z.array(z.object({ from: z.string(), seat: z.string(), model: z.string() })).optional(),
});
export type TeamConfig = z.infer<typeof configSchema>;

/** The step that asks whether checks may run where there is no sandbox. */
export const UNBOXED = 'base/unboxed';

export const DEFAULTS = { turns: 24, parallel: 4, verifiers: 2 } as const;

/** Of the design: which way of thinking each tier needs. */
export const TIER_LEVELS = {
  t1: 'reasoning-heavy',
  't2-lead': 'reasoning-heavy',
  t2: 'capable',
  t3: 'capable',
  t4: 'fast-cheap',
  't5-1': 'capable',
  't5-2': 'capable',
} as const satisfies Record<SeatId, (typeof LEVELS)[number]>;
