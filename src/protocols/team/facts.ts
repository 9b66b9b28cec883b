/**
 * The part of the vocabulary that a team needs: what it found, planned and designed, who held which
 * files, what was committed and what commands said of it, how work that failed went on, and how it was
 * brought home. What a model claims of its own work is recorded and decides nothing.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { vocabulary } from '../../kernel/vocabulary.ts';
import {
  architectureSchema,
  boundariesSchema,
  fitSchema,
  NEED_KINDS,
  proposalSchema,
} from './forms/design.ts';
import { LEVELS, planSchema, taskSchema } from './forms/plan.ts';
import { acceptanceSchema, CAUSES, resultSchema } from './forms/work.ts';
import { SQL_VIEWS } from './sql-views.ts';

const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const words = list(z.string());
const count = z.number().int().nonnegative();
const attempt = z.number().int().positive();
const of = { task: z.string(), attempt };

export const TIERS = ['T1', 'T2', 'T3', 'T4', 'T5'] as const;
export type Tier = (typeof TIERS)[number];
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

const sandbox = z.enum(['bwrap', 'sandbox-exec', 'none']);

const checkSchema = z.object({
  id: z.string(),
  argv: words,
  env: list(z.object({ name: z.string(), value: z.string() })),
  timeoutS: z.number().int(),
});

const surveySchema = z.object({
  base: z.string(),
  branch: z.string().optional(),
  files: count,
  paths: words,
  checks: list(
    checkSchema.extend({
      ...{ why: z.string(), runner: z.string().optional(), missing: z.string().optional() },
    }),
  ),
  tests: words,
  guarded: words,
  ignored: list(z.object({ path: z.string(), bytes: count })),
  uncommitted: words,
  untracked: words,
  hooks: words,
  submodules: words,
  lfs: words,
  sandbox,
});

/**
 * What a check was run for. `base`: before anything was changed; `commit`: as it was committed;
 * `old-tests`: with the base's tests laid over it; `red-before`: the new tests on the base; `joined`:
 * after a merge; `without-locked`: the same without the locked tests, to see that they run; `probe`: a
 * verifier's own test; `old-version`: a test that may change, as it was before,
 * which decides nothing; `asked`: T4 wanted to know.
 */
const CHECK_KINDS = [
  'base',
  'commit',
  'old-tests',
  'red-before',
  'joined',
  'without-locked',
  'probe',
  'old-version',
  'asked',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** How a requirement stands, by code. `unproved`: nobody showed that it is met, or not. */
export const REQUIREMENT_STATES = ['met', 'unmet', 'disputed', 'unproved'] as const;
export type RequirementState = (typeof REQUIREMENT_STATES)[number];

const looked = { path: z.string(), quote: z.string(), why: z.string(), found: z.boolean() };

export const describeTeamFacts = () =>
  [
    z.object({ v: z.literal(1), type: z.literal('team.surveyed'), survey: surveySchema }),
    z.object({
      v: z.literal(1),
      type: z.literal('check.ran'),
      check: z.string(),
      argv: words,
      kind: z.enum(CHECK_KINDS),
      /** The commit, or the tree where nothing was committed yet. */
      on: z.string(),
      task: z.string().optional(),
      attempt: attempt.optional(),
      workstream: z.string().optional(),
      exit: z.number().int().nullable(),
      ended: z.enum(['time', 'output', 'signal', 'stopped', 'not-started']).optional(),
      counts: z
        .object({
          ...{ passed: count, failed: count, skipped: count, failing: words },
          empty: words.optional(),
        })
        .optional(),
      /** Run twice on the same tree, it came to different ends. */
      flaky: z.literal(true).optional(),
      ms: z.number(),
      sandbox,
      output: z.string(),
      bytes: count,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.planned'),
      plan: planSchema,
      by: z.enum(['t1', 'critique', 'person', 'replan']),
      /** What T1 found wrong with the plan before. */
      found: list(z.object({ what: z.string(), change: z.string() })),
      /** Why code does not take it; empty: it stands. */
      refused: words,
      /** In whose words a person wanted it changed. */
      wish: z.string().optional(),
    }),
    /** What the person said at the plan's gate. */
    z.object({
      v: z.literal(1),
      type: z.literal('team.approved'),
      by: z.enum(['person', 'default', 'program']),
      /** Checks that may be run, by their id and the digest of what is run. */
      checks: list(z.object({ id: z.string(), digest: z.string() })),
      provide: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.designed'),
      boundaries: boundariesSchema,
      proposals: list(proposalSchema),
      contradictions: list(
        z.object({
          id: z.string(),
          a: z.string(),
          quoteA: z.string(),
          b: z.string(),
          quoteB: z.string(),
          why: z.string(),
          by: z.enum(['code', 'lead']),
          settled: z.string().optional(),
        }),
      ),
      cycles: count,
      architecture: architectureSchema,
      fit: fitSchema.optional(),
      refused: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.graphed'),
      tasks: list(taskSchema),
      /** Tasks that code put one after the other because both hold a file. */
      ordered: list(z.object({ before: z.string(), after: z.string(), file: z.string() })),
      refused: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('tests.written'),
      workstream: z.string(),
      commit: z.string().optional(),
      files: words,
      tests: list(
        z.object({
          requirement: z.string(),
          path: z.string(),
          shows: z.string(),
          /** On the base, three times. `vacuous`: it passes without any work. */
          state: z.enum(['red', 'vacuous', 'not-run']),
        }),
      ),
      untestable: list(z.object({ requirement: z.string(), why: z.string() })),
      /** Why there are none. */
      why: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('task.started'),
      ...of,
      level: z.enum(LEVELS),
      effort: z.enum(EFFORTS),
      model: z.string(),
      base: z.string(),
      /** What it holds. */
      files: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('task.reported'),
      ...of,
      result: resultSchema.optional(),
      /** Why there is none. */
      why: z.string().optional(),
      tree: z.string(),
      turns: count,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('commit.made'),
      for: z.enum(['task', 'tests', 'probe']),
      task: z.string().optional(),
      attempt: attempt.optional(),
      workstream: z.string().optional(),
      tree: z.string(),
      commit: z.string().optional(),
      files: words,
      /** Of each file how many lines came and went; absent where nobody counted. */
      lines: list(z.object({ path: z.string(), added: count, removed: count })).optional(),
      /** Why nothing was committed: the commit is refused as a whole. */
      refused: list(z.object({ path: z.string(), why: z.string() })),
    }),
    /** What code makes of a task's checks. */
    z.object({
      v: z.literal(1),
      type: z.literal('task.judged'),
      ...of,
      commit: z.string(),
      green: z.boolean(),
      /** What was caught, by name. */
      why: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('task.retried'),
      task: z.string(),
      /** The attempt to come. */
      attempt,
      by: z.enum(['T3', 'T2', 'T1', 'code', 'person']),
      why: z.string(),
      /** In place of the brief there was; absent: it stays. */
      brief: z.string().optional(),
      /** What whoever is above says was wrong, also where the brief stays. */
      said: z.string().optional(),
      /** Why code does not take the pieces that it was to be split into. */
      refused: words.optional(),
      /** The attempt before it failed for no fault of the work, and does not count. */
      uncounted: z.literal(true).optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('task.ended'),
      task: z.string(),
      state: z.enum(['done', 'dropped', 'stuck']),
      commit: z.string().optional(),
      why: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.escalated'),
      from: z.enum(TIERS),
      to: z.enum(['T3', 'T2', 'T1', 'person']),
      workstream: z.string(),
      task: z.string().optional(),
      cause: z.enum(CAUSES),
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('plan.amended'),
      by: z.enum(['T1', 'T2', 'T3', 'T4', 'code', 'person']),
      kind: z.enum([...NEED_KINDS, 'brief', 'split', 'drop', 'order']),
      what: z.string(),
      why: z.string(),
      task: z.string().optional(),
      /** Files that a task holds from now on. */
      files: words,
    }),
    /** Pieces of a task that are done before it, each with a part of what it holds. */
    z.object({
      v: z.literal(1),
      type: z.literal('task.split'),
      task: z.string(),
      by: z.enum(['T1', 'T2']),
      into: list(taskSchema),
      /** What comes before what because of it, beside what the tasks say themselves. */
      ordered: list(z.object({ before: z.string(), after: z.string(), file: z.string() })),
      why: z.string(),
    }),
    /** What a seat needed and did not get. */
    z.object({
      v: z.literal(1),
      type: z.literal('need.refused'),
      ...of,
      kind: z.enum(NEED_KINDS),
      what: z.string(),
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.joined'),
      /** A workstream, or `all`. */
      of: z.string(),
      round: attempt,
      commits: words,
      commit: z.string().optional(),
      conflicts: words,
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('verdict.given'),
      workstream: z.string(),
      round: attempt,
      commit: z.string(),
      seat: z.string(),
      /** `again`: shown the other's evidence, about requirements in dispute only. */
      again: z.literal(true).optional(),
      verdict: z.enum(['pass', 'fail', 'partial']).optional(),
      items: list(
        z.object({ requirement: z.string(), met: z.enum(['yes', 'no', 'unclear']), ...looked }),
      ),
      defects: list(z.object({ task: z.string(), ...looked })),
      cause: z.enum(CAUSES),
      probe: z
        .object({
          path: z.string(),
          text: z.string(),
          shows: z.string(),
          state: z.enum(['passed', 'failed', 'not-run']),
          requirement: z.string().optional(),
          /** What its run printed where it failed, and why it is no evidence where it did not run. */
          output: z.string().optional(),
          why: z.string().optional(),
          /** It passes here and failed on the base. */
          red: z.literal(true).optional(),
        })
        .optional(),
      /** Locked tests that it says test something else than the requirement says. */
      drops: list(
        z.object({ path: z.string(), ...{ quote: z.string(), why: z.string() } }),
      ).optional(),
      /** Why there is no verdict. */
      why: z.string().optional(),
    }),
    /** A verifier's test that nobody who works may change from now on, and that has to be green. */
    z.object({
      v: z.literal(1),
      type: z.literal('test.locked'),
      workstream: z.string(),
      requirement: z.string(),
      path: z.string(),
      text: z.string(),
      shows: z.string(),
      /** The verifier whose test it is, or `person`, who put one back that was dropped. */
      by: z.string(),
      round: attempt,
      /** What it was red on: the joined commit, or the base. */
      on: z.string(),
      state: z.enum(['red', 'green']),
      /** A commit of its own on the base. */
      commit: z.string(),
      /** What its run printed. */
      output: z.string(),
    }),
    /** Both verifiers say that it does not test what the requirement says. */
    z.object({
      v: z.literal(1),
      type: z.literal('test.dropped'),
      workstream: z.string(),
      requirement: z.string(),
      path: z.string(),
      round: attempt,
      said: list(z.object({ seat: z.string(), quote: z.string(), why: z.string() })),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('verdict.joined'),
      workstream: z.string(),
      round: attempt,
      commit: z.string(),
      verdict: z.enum(['pass', 'fail']),
      requirements: list(
        z.object({ id: z.string(), state: z.enum(REQUIREMENT_STATES), evidence: words }),
      ),
      failing: list(z.object({ task: z.string(), why: z.string() })),
      cause: z.enum(CAUSES),
      /**
       * True if the workstream was verified alone, before others build on it. Other requirements then keep
       * their state.
       */
      alone: z.literal(true).optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.accepted'),
      commit: z.string(),
      acceptance: acceptanceSchema.optional(),
      /** Why code does not take it; empty: it stands. */
      refused: words,
      why: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('team.delivered'),
      /** `kept`: the person wants nothing brought home. */
      how: z.enum(['branch', 'forward', 'request', 'kept', 'failed']),
      commit: z.string(),
      branch: z.string().optional(),
      url: z.string().optional(),
      /** What a person types to open the request, where the program for it was not installed. */
      next: z.string().optional(),
      why: z.string().optional(),
    }),
  ] as const;

/** What a run of this kind says: the kernel's facts, and these. */
export const TEAM = vocabulary(() => [...KERNEL_FACTS, ...describeTeamFacts()], {}, SQL_VIEWS);

/** Those that are not the kernel's. */
export type OwnBody = z.infer<ReturnType<typeof describeTeamFacts>[number]>;
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeTeamFacts>[number]
>;
type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;

/** Makes a fact's body. */
export const fact = TEAM.make;
