/**
 * Defines the answers of T4, T5 and T1 about the work. T4's result has no field in which it could say that
 * its checks pass.
 */
import * as z from 'zod';
import { needSchema } from './design.ts';
import { idSchema, requirementId, taskSchema } from './plan.ts';

/** T4's report at the end of its work. */
export const resultSchema = z.strictObject({
  status: z.enum(['done', 'partial', 'blocked']),
  did: z.array(z.strictObject({ path: z.string(), what: z.string() })),
  covers_done: z.array(requirementId),
  left: z.array(z.string()),
  needs: z.array(needSchema),
});
/** T4's report at the end of its work. */
export type TaskResult = z.infer<typeof resultSchema>;

/** The answer of the author of acceptance tests. The test files themselves are written with tools. */
export const testsSchema = z.strictObject({
  tests: z.array(
    z.strictObject({ requirement: requirementId, path: z.string(), shows: z.string() }),
  ),
  untestable: z.array(z.strictObject({ requirement: requirementId, why: z.string() })),
});
/** The answer of the author of acceptance tests, who has seen no implementation. */
export type BlindTests = z.infer<typeof testsSchema>;

/** What a failure is due to: nothing, the work, the brief or the design. */
export const CAUSES = ['none', 'work', 'brief', 'design'] as const;

/**
 * A verifier's verdict up to version 2 of the rules. It is not strict, so that a stand-in's answer may
 * contain the fields of later versions as well.
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
  /** A test by the verifier that code runs on a fresh tree; null if there is none. */
  probe: z.object({ path: z.string(), text: z.string(), shows: z.string() }).nullable(),
});
/** A verifier's verdict. */
export type Verdict = z.infer<typeof verdictSchema>;

const probeSchema = z.strictObject({
  /** The requirement that the test is about. */
  requirement: requirementId,
  path: z.string(),
  text: z.string(),
  shows: z.string(),
});
/** A test by a verifier. */
export type Probe = z.infer<typeof probeSchema>;

/**
 * A verifier's verdict from version 3 of the rules on. A probe names its requirement, and the verifier may
 * say that a locked test does not test its requirement.
 */
export const provenVerdictSchema = verdictSchema.extend({
  probe: probeSchema.nullable(),
  /** `quote`: the words of the requirement that the test contradicts or goes beyond. */
  drops: z.array(z.strictObject({ path: z.string(), quote: z.string(), why: z.string() })),
});

/** The corrected test of a verifier whose test did not run; null withdraws it. */
export const mendedSchema = z.strictObject({ probe: probeSchema.nullable() });

/** The answer of a tier above that is asked about a failed task. */
export const correctionSchema = z.strictObject({
  /** The new brief; empty if the brief was right and only the work was wrong. */
  brief: z.string(),
  done_when: z.string(),
  why: z.string(),
});
/** The answer of a tier above that is asked about a failed task. */
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
/** A piece of a task, which is done before the rest of it. */
export type Piece = z.infer<typeof pieceSchema>;

/**
 * The answer of a tier that may also split the task: T2, or T1 if the plan has no T2. An empty `tasks` means
 * no split.
 */
export const recutSchema = correctionSchema.extend({ tasks: z.array(pieceSchema) });

/** Existing tests that the task may change, each with a reason. */
const testChanges = z.array(z.strictObject({ path: z.string(), why: z.string() }));

/** A correction that may also allow changes to existing tests; used from version 3 of the rules on. */
export const permittingCorrectionSchema = correctionSchema.extend({ test_changes: testChanges });
/**
 * A correction that may also split the task and allow changes to existing tests; used from version 3 of the
 * rules on.
 */
export const permittingRecutSchema = recutSchema.extend({ test_changes: testChanges });
/** An existing test that a task may change, with the reason. */
export type TestChange = z.infer<typeof testChanges>[number];

/** T1's decision to accept or reject the result, with evidence for each requirement. */
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
/** T1's decision to accept or reject the result, with evidence for each requirement. */
export type Acceptance = z.infer<typeof acceptanceSchema>;
