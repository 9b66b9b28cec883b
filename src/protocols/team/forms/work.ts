/**
 * Defines the answers of T4, T5 and T1 about the work. T4's result has no field in which it could say that
 * its checks pass.
 */
import * as z from 'zod';
import { needSchema } from './design.ts';
import { idSchema, requirementId, taskSchema } from './plan.ts';

/** The schema of the implementer's report at the end of its work on a task. */
export const resultSchema = z.strictObject({
  status: z.enum(['done', 'partial', 'blocked']),
  did: z.array(z.strictObject({ path: z.string(), what: z.string() })),
  covers_done: z.array(requirementId),
  left: z.array(z.string()),
  needs: z.array(needSchema),
});
/** The implementer's report at the end of its work on a task. */
export type TaskResult = z.infer<typeof resultSchema>;

/**
 * The schema of the answer of a seat that writes acceptance tests. The test files themselves are
 * written with tools.
 */
export const testsSchema = z.strictObject({
  tests: z.array(
    z.strictObject({ requirement: requirementId, path: z.string(), shows: z.string() }),
  ),
  untestable: z.array(z.strictObject({ requirement: requirementId, why: z.string() })),
});
/** The answer of a seat that writes acceptance tests before there is an implementation. */
export type BlindTests = z.infer<typeof testsSchema>;

/** What a failure is due to: nothing, the work, the brief or the design. */
export const CAUSES = ['none', 'work', 'brief', 'design'] as const;

/**
 * The schema of a verifier's verdict up to version 2 of the rules. Unknown fields are accepted,
 * because the built-in stand-in for models answers with the fields of later versions.
 */
export const verdictSchema = z.object({
  verdict: z.enum(['pass', 'fail', 'partial']),
  items: z.array(
    z.strictObject({
      requirement: requirementId,
      met: z.enum(['yes', 'no', 'unclear']),
      path: z.string(),
      quote: z.string(),
      why: z.string(),
    }),
  ),
  defects: z.array(
    z.strictObject({ task: z.string(), path: z.string(), quote: z.string(), why: z.string() }),
  ),
  cause: z.enum(CAUSES),
  /** A test by the verifier. Code runs it on a fresh tree; null if the verifier wrote none. */
  probe: z.object({ path: z.string(), text: z.string(), shows: z.string() }).nullable(),
});
/** A verifier's verdict. */
export type Verdict = z.infer<typeof verdictSchema>;

const probeSchema = z.strictObject({
  /** The requirement that the verifier's test is about. */
  requirement: requirementId,
  path: z.string(),
  text: z.string(),
  shows: z.string(),
});
/** A test that a verifier writes to show something about the work. */
export type Probe = z.infer<typeof probeSchema>;

/**
 * The schema of a verifier's verdict from version 3 of the rules on. The verifier's own test
 * (`probe`) names its requirement, and the verifier may say that an earlier verifier's test does
 * not test its requirement.
 */
export const provenVerdictSchema = verdictSchema.extend({
  probe: probeSchema.nullable(),
  /**
   * The locked tests that the verifier calls wrong. `quote`: the words of the requirement that such a test
   * contradicts or goes beyond.
   */
  drops: z.array(z.strictObject({ path: z.string(), quote: z.string(), why: z.string() })),
});

/**
 * The schema of a verifier's corrected test, after its first version did not run. Null withdraws
 * the test.
 */
export const mendedSchema = z.strictObject({ probe: probeSchema.nullable() });

/** The schema of what a tier above decides about a failed task. */
export const correctionSchema = z.strictObject({
  /** The new brief; empty if the brief was right and only the work was wrong. */
  brief: z.string(),
  done_when: z.string(),
  why: z.string(),
});
/** What a tier above decides about a failed task. */
export type Correction = z.infer<typeof correctionSchema>;

/** A piece of a task, which is done before the rest of it. It has the workstream and checks of the task. */
const pieceSchema = taskSchema.pick({
  id: true,
  title: true,
  files: true,
  depends_on: true,
  covers: true,
  brief: true,
  done_when: true,
});
/** A part of a split task, which is done before the rest of the task. */
export type Piece = z.infer<typeof pieceSchema>;

/**
 * The schema of what a tier above decides about a failed task if it may also split the task. An
 * empty `tasks` means no split.
 */
export const recutSchema = correctionSchema.extend({ tasks: z.array(pieceSchema) });

/** Existing tests that the task may change, each with a reason. */
const testChanges = z.array(z.strictObject({ path: z.string(), why: z.string() }));

/**
 * The schema of what a tier above decides about a failed task if it may also allow changes to
 * existing tests. Used from version 3 of the rules on.
 */
export const permittingCorrectionSchema = correctionSchema.extend({ test_changes: testChanges });
/**
 * The schema of what a tier above decides about a failed task if it may also split the task and
 * allow changes to existing tests. Used from version 3 of the rules on.
 */
export const permittingRecutSchema = recutSchema.extend({ test_changes: testChanges });
/** An existing test that a task may change, with the reason. */
export type TestChange = z.infer<typeof testChanges>[number];

/**
 * The schema of the decision to accept or reject the whole result, with evidence for each
 * requirement.
 */
export const acceptanceSchema = z.strictObject({
  decision: z.enum(['accept', 'reject']),
  requirements: z.array(
    z.strictObject({
      id: requirementId,
      met: z.enum(['yes', 'no']),
      evidence: z.array(z.string()),
    }),
  ),
  beyond_goal: z.array(z.strictObject({ path: z.string(), what: z.string() })),
  reject: z
    .strictObject({
      tier: z.enum(['T2', 'T3', 'T4']),
      workstream: idSchema,
      tasks: z.array(idSchema),
      reason: z.string(),
    })
    .nullable(),
});
/** The decision to accept or reject the whole result, with evidence for each requirement. */
export type Acceptance = z.infer<typeof acceptanceSchema>;
