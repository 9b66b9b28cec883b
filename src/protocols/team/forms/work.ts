/** What T4, T5 and T1 hand in at the end of their work. Nothing in T4's result can say that it passes. */
import * as z from 'zod';
import { needSchema } from './design.ts';
import { idSchema, requirementId, taskSchema } from './plan.ts';

export const resultSchema = z.strictObject({
  status: z.enum(['done', 'partial', 'blocked']),
  did: z.array(z.strictObject({ path: z.string(), what: z.string() })),
  covers_done: z.array(requirementId),
  left: z.array(z.string()),
  needs: z.array(needSchema),
});
export type TaskResult = z.infer<typeof resultSchema>;

/** Of who writes the acceptance tests: the files themselves are written by tools. */
export const testsSchema = z.strictObject({
  tests: z.array(
    z.strictObject({ requirement: requirementId, path: z.string(), shows: z.string() }),
  ),
  untestable: z.array(z.strictObject({ requirement: requirementId, why: z.string() })),
});
export type BlindTests = z.infer<typeof testsSchema>;

export const CAUSES = ['none', 'work', 'brief', 'design'] as const;

/** Not strict: whoever plays verifiers of every version says what only the later ones ask for, too. */
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
  /** One test that code runs on a fresh tree. */
  probe: z.object({ path: z.string(), text: z.string(), shows: z.string() }).nullable(),
});
export type Verdict = z.infer<typeof verdictSchema>;

const probeSchema = z.strictObject({
  /** The requirement that the test speaks for. */
  requirement: requirementId,
  path: z.string(),
  text: z.string(),
  shows: z.string(),
});
export type Probe = z.infer<typeof probeSchema>;

/** From version 3 on: a probe names its requirement, and a test that is locked can be said to test something else. */
export const provenVerdictSchema = verdictSchema.extend({
  probe: probeSchema.nullable(),
  /** `quote`: words of the requirement that the test goes against or beyond. */
  drops: z.array(z.strictObject({ path: z.string(), quote: z.string(), why: z.string() })),
});

/** Of a verifier whose probe did not run. Null: the verifier withdraws it. */
export const mendedSchema = z.strictObject({ probe: probeSchema.nullable() });

/** What a tier above the work answers when it is stuck. */
export const correctionSchema = z.strictObject({
  /** Empty: the brief was right, the work was not. */
  brief: z.string(),
  done_when: z.string(),
  why: z.string(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** A piece of a task, done before what is left of it. Workstream and checks are the task's own. */
const pieceSchema = taskSchema.pick({
  id: true,
  title: true,
  files: true,
  depends_on: true,
  covers: true,
  brief: true,
  done_when: true,
});
export type Piece = z.infer<typeof pieceSchema>;

/** Of whoever may split the task as well: T2, else T1. No tasks: it is not split. */
export const recutSchema = correctionSchema.extend({ tasks: z.array(pieceSchema) });

/** Tests that were there before and may change, each with why: applied by code as an amendment. */
const testChanges = z.array(z.strictObject({ path: z.string(), why: z.string() }));

/** From version 3 on. */
export const permittingCorrectionSchema = correctionSchema.extend({ test_changes: testChanges });
export const permittingRecutSchema = recutSchema.extend({ test_changes: testChanges });
export type TestChange = z.infer<typeof testChanges>[number];

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
export type Acceptance = z.infer<typeof acceptanceSchema>;
