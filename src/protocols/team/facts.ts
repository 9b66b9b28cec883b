/**
 * Defines the facts of a team's run: what was surveyed, planned and designed, who held which files, what
 * was committed and checked, how failed work went on, and how it was brought home. What a model says about
 * its own work is recorded but decides nothing.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { defineVocabulary, factSchema } from '../../kernel/vocabulary.ts';
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

const makeListSchema = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const words = makeListSchema(z.string());
const count = z.number().int().nonnegative();
const attempt = z.number().int().positive();
const of = { task: z.string(), attempt };

/** The tiers: goal (T1), design (T2), dividing into tasks (T3), work (T4), verification (T5). */
export const TIERS = ['T1', 'T2', 'T3', 'T4', 'T5'] as const;
/** A tier, such as `T4`. */
export type Tier = (typeof TIERS)[number];
/** How much effort a model is asked to make. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
/** How much effort a model is asked to make. */
export type Effort = (typeof EFFORTS)[number];

const sandbox = z.enum(['bwrap', 'sandbox-exec', 'none']);

const checkSchema = z.object({
  id: z.string(),
  argv: words,
  env: makeListSchema(z.object({ name: z.string(), value: z.string() })),
  timeoutS: z.number().int(),
});

const surveySchema = z.object({
  base: z.string(),
  branch: z.string().optional(),
  files: count,
  paths: words,
  checks: makeListSchema(
    checkSchema.extend({
      why: z.string(),
      runner: z.string().optional(),
      missing: z.string().optional(),
    }),
  ),
  tests: words,
  guarded: words,
  ignored: makeListSchema(z.object({ path: z.string(), bytes: count })),
  uncommitted: words,
  untracked: words,
  hooks: words,
  submodules: words,
  lfs: words,
  sandbox,
});

/**
 * Why a check ran. `base`: on the base. `commit`: on a task's commit. `old-tests`: on the commit with the
 * base's tests copied over it. `red-before`: new tests on the base. `joined`: on merged work.
 * `without-locked`: on merged work without the locked tests, to see that they run. `probe`: with a
 * verifier's own test. `old-version`: with a test as it was before a permitted change; this decides
 * nothing. `asked`: because T4 asked.
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
/** Why a check (a command that tests the work) ran. */
export type CheckKind = (typeof CHECK_KINDS)[number];

/**
 * The states of a requirement, which code derives from all verdicts, tests and checks. `disputed`: verifiers showed both
 * that it is met and that it is not. `unproved`: it is not shown to be unmet, and not shown to be met with the proof that
 * the plan asks for; or verifiers still disagree after they have looked again.
 */
export const REQUIREMENT_STATES = ['met', 'unmet', 'disputed', 'unproved'] as const;
/** The state of a team's requirement, such as `met` or `unproved`. */
export type RequirementState = (typeof REQUIREMENT_STATES)[number];

const looked = { path: z.string(), quote: z.string(), why: z.string(), found: z.boolean() };

/** Returns the schemas of a team's facts. */
export const describeTeamFacts = () =>
  [
    factSchema('team.surveyed', { survey: surveySchema }),
    factSchema('check.ran', {
      check: z.string(),
      argv: words,
      kind: z.enum(CHECK_KINDS),
      /** The id of the commit on which the check ran, or of the tree if there was no commit. */
      on: z.string(),
      task: z.string().optional(),
      attempt: attempt.optional(),
      workstream: z.string().optional(),
      exit: z.number().int().nullable(),
      ended: z.enum(['time', 'output', 'signal', 'stopped', 'not-started']).optional(),
      counts: z
        .object({
          passed: count,
          failed: count,
          skipped: count,
          failing: words,
          empty: words.optional(),
        })
        .optional(),
      /** True if an earlier run of the same check on the same files ended differently. */
      flaky: z.literal(true).optional(),
      ms: z.number(),
      sandbox,
      output: z.string(),
      bytes: count,
    }),
    factSchema('team.planned', {
      plan: planSchema,
      by: z.enum(['t1', 'critique', 'person', 'replan']),
      /** What T1 found wrong with its previous plan. */
      found: makeListSchema(z.object({ what: z.string(), change: z.string() })),
      /** What code changed in the plan. Absent if nothing. In older runs, `found` contains these changes. */
      mended: makeListSchema(z.object({ what: z.string(), change: z.string() })).optional(),
      /** Why code refuses the plan. Empty if code accepts it. */
      refused: words,
      /** The words of a person who wanted the plan before this one changed. Absent if no person did. */
      wish: z.string().optional(),
    }),
    /** The plan was approved. `by` says by whom: a person, the default answer, or a program. */
    factSchema('team.approved', {
      by: z.enum(['person', 'default', 'program']),
      /** The approved checks, by id and a digest of what they run. */
      checks: makeListSchema(z.object({ id: z.string(), digest: z.string() })),
      provide: words,
    }),
    factSchema('team.designed', {
      boundaries: boundariesSchema,
      proposals: makeListSchema(proposalSchema),
      contradictions: makeListSchema(
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
    factSchema('team.graphed', {
      tasks: makeListSchema(taskSchema),
      /** Pairs of tasks that code put in an order because both hold `file`. */
      ordered: makeListSchema(
        z.object({ before: z.string(), after: z.string(), file: z.string() }),
      ),
      refused: words,
    }),
    factSchema('tests.written', {
      workstream: z.string(),
      commit: z.string().optional(),
      files: words,
      tests: makeListSchema(
        z.object({
          requirement: z.string(),
          path: z.string(),
          shows: z.string(),
          /** How the tests ended on the base. `vacuous`: they pass without any work. */
          state: z.enum(['red', 'vacuous', 'not-run']),
        }),
      ),
      untestable: makeListSchema(z.object({ requirement: z.string(), why: z.string() })),
      /** Why no tests were written. */
      why: z.string().optional(),
    }),
    factSchema('task.started', {
      ...of,
      level: z.enum(LEVELS),
      effort: z.enum(EFFORTS),
      model: z.string(),
      base: z.string(),
      /** Globs of the files that the task holds. */
      files: words,
    }),
    factSchema('task.reported', {
      ...of,
      result: resultSchema.optional(),
      /** Why the seat that worked on the task gave no result. Absent if there is a result. */
      why: z.string().optional(),
      tree: z.string(),
      turns: count,
    }),
    factSchema('commit.made', {
      for: z.enum(['task', 'tests', 'probe']),
      task: z.string().optional(),
      attempt: attempt.optional(),
      workstream: z.string().optional(),
      tree: z.string(),
      commit: z.string().optional(),
      files: words,
      /** How many lines were added to and removed from each file; absent if not counted. */
      lines: makeListSchema(
        z.object({ path: z.string(), added: count, removed: count }),
      ).optional(),
      /** Why the whole commit was refused, for each file that is at fault. Empty if the commit was made. */
      refused: makeListSchema(z.object({ path: z.string(), why: z.string() })),
    }),
    /** Code judged a task's commit by its checks. */
    factSchema('task.judged', {
      ...of,
      commit: z.string(),
      green: z.boolean(),
      /** The reasons why the commit is not green. */
      why: words,
    }),
    factSchema('task.retried', {
      task: z.string(),
      /** The number of the next attempt at the task. */
      attempt,
      by: z.enum(['T3', 'T2', 'T1', 'code', 'person']),
      why: z.string(),
      /** The new brief; absent if the old one stays. */
      brief: z.string().optional(),
      /** Why the attempt failed, in the words of T1, T2 or T3, even if that tier leaves the brief as it is. */
      said: z.string().optional(),
      /** Why code refused to split the task. */
      refused: words.optional(),
      /** Present if the failed attempt does not count, because the work was not at fault. */
      uncounted: z.literal(true).optional(),
    }),
    factSchema('task.ended', {
      task: z.string(),
      state: z.enum(['done', 'dropped', 'stuck']),
      commit: z.string().optional(),
      why: z.string().optional(),
    }),
    factSchema('team.escalated', {
      from: z.enum(TIERS),
      to: z.enum(['T3', 'T2', 'T1', 'person']),
      workstream: z.string(),
      task: z.string().optional(),
      cause: z.enum(CAUSES),
      why: z.string(),
    }),
    factSchema('plan.amended', {
      by: z.enum(['T1', 'T2', 'T3', 'T4', 'code', 'person']),
      kind: z.enum([...NEED_KINDS, 'brief', 'split', 'drop', 'order']),
      what: z.string(),
      why: z.string(),
      task: z.string().optional(),
      /** Files that the task holds from now on, besides those it held before. Empty if there are none. */
      files: words,
    }),
    /** A task was split into pieces that are done before it. */
    factSchema('task.split', {
      task: z.string(),
      by: z.enum(['T1', 'T2']),
      into: makeListSchema(taskSchema),
      /** Pairs of tasks that are done one after the other since the split, because both hold `file`. */
      ordered: makeListSchema(
        z.object({ before: z.string(), after: z.string(), file: z.string() }),
      ),
      why: z.string(),
    }),
    /** A task's need was refused: what its seat asked for while it worked. */
    factSchema('need.refused', {
      ...of,
      kind: z.enum(NEED_KINDS),
      what: z.string(),
      why: z.string(),
    }),
    factSchema('team.joined', {
      /**
       * What was merged: a workstream (its id), all of them (`all`), or the work and the person's branch (`home`).
       */
      of: z.string(),
      round: attempt,
      commits: words,
      commit: z.string().optional(),
      conflicts: words,
    }),
    factSchema('verdict.given', {
      workstream: z.string(),
      round: attempt,
      commit: z.string(),
      seat: z.string(),
      /** True for a later look, for which the verifier was shown all earlier verdicts, its own and others'. */
      again: z.literal(true).optional(),
      verdict: z.enum(['pass', 'fail', 'partial']).optional(),
      items: makeListSchema(
        z.object({ requirement: z.string(), met: z.enum(['yes', 'no', 'unclear']), ...looked }),
      ),
      defects: makeListSchema(z.object({ task: z.string(), ...looked })),
      cause: z.enum(CAUSES),
      probe: z
        .object({
          path: z.string(),
          text: z.string(),
          shows: z.string(),
          state: z.enum(['passed', 'failed', 'not-run']),
          requirement: z.string().optional(),
          /** If the test failed or did not run: the output of the check that should have run it. */
          output: z.string().optional(),
          why: z.string().optional(),
          /** True if the test passes on this commit and failed on the base. */
          red: z.literal(true).optional(),
        })
        .optional(),
      /** Locked tests that the verifier says do not test the requirement. */
      drops: makeListSchema(
        z.object({ path: z.string(), quote: z.string(), why: z.string() }),
      ).optional(),
      /** Why the verifier gave no verdict. */
      why: z.string().optional(),
    }),
    /** A verifier's test was locked: no task may change it, and the work has to pass it. */
    factSchema('test.locked', {
      workstream: z.string(),
      requirement: z.string(),
      path: z.string(),
      text: z.string(),
      shows: z.string(),
      /** The seat of the test's author, or `person` if a person put back a dropped test. */
      by: z.string(),
      round: attempt,
      /** The commit on which the test failed: the merged commit or the base. */
      on: z.string(),
      state: z.enum(['red', 'green']),
      /** The commit, made on the base, that adds the test. */
      commit: z.string(),
      /** The output of the test's run. */
      output: z.string(),
    }),
    /** Both verifiers said that a locked test does not test its requirement. */
    factSchema('test.dropped', {
      workstream: z.string(),
      requirement: z.string(),
      path: z.string(),
      round: attempt,
      said: makeListSchema(z.object({ seat: z.string(), quote: z.string(), why: z.string() })),
    }),
    factSchema('verdict.joined', {
      workstream: z.string(),
      round: attempt,
      commit: z.string(),
      verdict: z.enum(['pass', 'fail']),
      requirements: makeListSchema(
        z.object({ id: z.string(), state: z.enum(REQUIREMENT_STATES), evidence: words }),
      ),
      failing: makeListSchema(z.object({ task: z.string(), why: z.string() })),
      cause: z.enum(CAUSES),
      /**
       * True if the workstream was verified alone, before others build on it. A requirement missing
       * from `requirements` then keeps its state.
       */
      alone: z.literal(true).optional(),
    }),
    factSchema('team.accepted', {
      commit: z.string(),
      acceptance: acceptanceSchema.optional(),
      /** Why code refused T1's answer (accept or reject the work); empty if code took the answer. */
      refused: words,
      why: z.string().optional(),
    }),
    factSchema('team.delivered', {
      /** How the work was brought home. `kept`: the person wanted nothing brought home. */
      how: z.enum(['branch', 'forward', 'request', 'kept', 'failed']),
      commit: z.string(),
      branch: z.string().optional(),
      url: z.string().optional(),
      /** The command that opens the pull request, if the program for it was not installed. */
      next: z.string().optional(),
      why: z.string().optional(),
    }),
  ] as const;

/** The fact types of a log of a team's run, with their SQL views. */
export const TEAM = defineVocabulary(
  () => [...KERNEL_FACTS, ...describeTeamFacts()],
  {},
  SQL_VIEWS,
);

/** The content of a fact that only teams record, without run id, number and time. */
export type OwnBody = z.infer<ReturnType<typeof describeTeamFacts>[number]>;
/** The content of any fact of a team's run, without run id, number and time. */
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describeTeamFacts>[number]
>;
type FactType = FactBody['type'];
/** The content of a fact of type `T`, without run id, number and time. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;

/** Makes the content of a fact in the present version of its schema. */
export const fact = TEAM.make;
