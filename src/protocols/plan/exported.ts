/** Adds a plan's results to an exported run: statements, how each question ended, and the spec. */
import * as z from 'zod';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { conflictSchema, handedSchema, PLAN_STATES, specSchema } from './facts.ts';
import { findSeatsNotHeard, planOf } from './fold.ts';
import { deriveStandings } from './standings.ts';

/** Returns the schema of a plan's part of an exported run. */
export function describePlan() {
  const round = z.int().positive();
  const ids = z.array(z.string()).readonly();
  const unheard = z.object({ role: z.string(), why: z.string() });

  const statement = handedSchema.extend({
    id: z.string(),
    role: z.string(),
    round,
    state: z.enum(['live', 'withdrawn']),
    earlier: z.array(z.object({ round, text: z.string() })).readonly(),
    withdrawal: z
      .object({
        round,
        conflict: z.string().optional(),
        why: z.string(),
        by: z.enum(['owner', 'person', 'agreement']),
      })
      .optional(),
  });

  const standing = z.object({
    state: z.enum(['open', 'settled', 'person']),
    outcome: z
      .union([
        z.object({ option: z.string() }),
        z.object({
          compatible: z.array(z.object({ role: z.string(), how: z.string() })).readonly(),
        }),
      ])
      .optional(),
    why: z.string(),
    accepts: z.record(z.string(), ids),
    suspicions: z.array(z.object({ role: z.string(), what: z.string() })).readonly(),
  });

  const conflict = conflictSchema.extend({
    /** The state of the question, and who accepts which options. */
    standing,
    /**
     * How the question was decided, and which option was chosen. Absent if no decision was recorded; `default`
     * if it was left open.
     */
    decided: z
      .object({
        by: z.enum(['person', 'agreement', 'default']),
        option: z.string().optional(),
        /** The person's words on how all options of the question can be followed together. */
        together: z.string().optional(),
      })
      .optional(),
  });

  return z
    .object({
      /** How the plan ended; absent if no plan was written. */
      state: z.enum(PLAN_STATES).optional(),
      title: z.string().optional(),
      statements: z.array(statement).readonly(),
      conflicts: z.array(conflict).readonly(),
      notHeard: z.array(unheard).readonly(),
      spec: specSchema.optional(),
      /** The files that were written into the repository, as they were last written. */
      files: z.array(z.object({ path: z.string(), sha256: z.string(), at: z.string() })).readonly(),
    })
    .optional();
}

/**
 * Returns a plan's part of an exported run. Undefined if no specialists were chosen yet, and for runs of other
 * protocols.
 */
export function exportedPlan(facts: readonly AnyFact[]): z.infer<ReturnType<typeof describePlan>> {
  const plan = planOf(facts);
  if (plan.staffed === undefined) return undefined;
  const { written, statements, conflicts } = plan;
  const standings = new Map(deriveStandings(plan).map((standing) => [standing.conflict, standing]));
  return {
    ...(written === undefined ? {} : { state: written.state, title: written.title }),
    statements,
    conflicts: conflicts.flatMap((conflict) => {
      const known = standings.get(conflict.id);
      if (known === undefined) return [];
      const { conflict: _conflict, ...stands } = known;
      const decided = plan.decided.find(({ conflict: id }) => id === conflict.id);
      const { by, option, together } = decided ?? {};
      return {
        ...conflict,
        standing: stands,
        ...(by === undefined
          ? {}
          : {
              decided: {
                by,
                ...withoutUndefined({ option, together: together?.how }),
              },
            }),
      };
    }),
    notHeard: findSeatsNotHeard(plan),
    ...withoutUndefined({ spec: written?.spec }),
    files: [...plan.files].map(([path, file]) => ({ path, ...file })),
  };
}
