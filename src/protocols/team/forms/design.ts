/**
 * Defines the answers of T2: which domain owns which files, which interfaces the domains offer one another,
 * and the architecture.
 */
import * as z from 'zod';
import { idSchema, requirementId, taskSchema } from './plan.ts';

/**
 * The schema of how a design is divided into domains, with the assumptions that all domains share.
 */
export const boundariesSchema = z.strictObject({
  /**
   * `owns`: globs of files. No file may be owned by two domains; a file that no domain owns may be used by any.
   */
  domains: z.array(
    z.strictObject({
      id: idSchema,
      workstreams: z.array(idSchema).min(1),
      owns: z.array(z.string()),
    }),
  ),
  assumptions: z.array(
    z.strictObject({
      id: z.string().regex(/^S\d+$/),
      text: z.string(),
      basis: z.enum(['repo', 'goal', 'choice']),
      path: z.string(),
      quote: z.string(),
    }),
  ),
});
/** How a design is divided into domains, with the assumptions that all domains share. */
export type Boundaries = z.infer<typeof boundariesSchema>;

const interfaceSchema = z.strictObject({
  name: z.string(),
  file: z.string(),
  signature: z.string(),
  change: z.enum(['new', 'compatible', 'breaking']),
  owner: idSchema,
  users: z.array(idSchema),
});
/** An interface that a domain offers to others. */
export type Interface = z.infer<typeof interfaceSchema>;

/** The schema of one architect's proposal for its domain. */
export const proposalSchema = z.strictObject({
  domain: idSchema,
  design: z.string(),
  interfaces: z.array(interfaceSchema),
  needs: z.array(z.strictObject({ domain: idSchema, what: z.string() })),
  risks: z.array(z.string()),
});
/** One architect's proposal for its domain. */
export type Proposal = z.infer<typeof proposalSchema>;

const contradictionId = z.string().regex(/^X\d+$/);

/**
 * The schema of the contradictions between proposals that the lead architect finds in addition to
 * those found by code, each with a quotation from both sides.
 */
export const contradictionsSchema = z.strictObject({
  found: z.array(
    z.strictObject({
      id: contradictionId,
      a: idSchema,
      quote_a: z.string(),
      b: idSchema,
      quote_b: z.string(),
      why: z.string(),
    }),
  ),
});

/**
 * The schema of an architect's answers to contradictions, with its proposal changed accordingly.
 */
export const answersSchema = z.strictObject({
  answers: z.array(
    z.strictObject({
      contradiction: z.string(),
      stance: z.enum(['concede', 'hold', 'compromise']),
      why: z.string(),
    }),
  ),
  proposal: proposalSchema,
});

/** The schema of the architecture that the lead architect makes of all proposals. */
export const architectureSchema = z.strictObject({
  summary: z.string(),
  interfaces: z.array(interfaceSchema),
  decisions: z.array(
    z.strictObject({
      id: z.string().regex(/^D\d+$/),
      text: z.string(),
      covers: z.array(requirementId),
      from: z.array(z.strictObject({ domain: idSchema, quote: z.string() })),
    }),
  ),
  settled: z.array(z.strictObject({ contradiction: z.string(), how: z.string() })),
  open: z.array(z.string()),
});
/** The architecture that the lead architect makes of all proposals. */
export type Architecture = z.infer<typeof architectureSchema>;

/**
 * The schema of the judgment of T1 (the seat that plans and accepts the work) on whether the
 * architecture meets the requirements.
 */
export const fitSchema = z.strictObject({
  fits: z.boolean(),
  uncovered: z.array(requirementId),
  against: z.array(z.strictObject({ decision: z.string(), why: z.string() })),
});
/**
 * The judgment of T1 (the seat that plans and accepts the work) on whether the architecture meets
 * the requirements.
 */
export type FitJudgment = z.infer<typeof fitSchema>;

/**
 * The kinds of things that a task can ask for: another file, a changed test, another check, a
 * dependency, or a decision.
 */
export const NEED_KINDS = ['file', 'test-change', 'check', 'dependency', 'decision'] as const;
/**
 * The schema of a need: something that a task asks for beyond the files it may write. A squad's lead uses
 * the same schema for necessary work that none of the squad's tasks does.
 */
export const needSchema = z.strictObject({
  kind: z.enum(NEED_KINDS),
  what: z.string(),
  why: z.string(),
});
/**
 * Something that a task asks for beyond the files that it may write. A squad's lead uses the same form
 * for necessary work that none of the squad's tasks does.
 */
export type Need = z.infer<typeof needSchema>;

/**
 * The schema of the tasks into which a squad's lead divides its workstream. `not_mine` lists work
 * that has to be done outside these tasks.
 */
export const graphSchema = z.strictObject({
  tasks: z.array(taskSchema).min(1),
  not_mine: z.array(needSchema),
});
/**
 * The tasks into which a squad's lead divides its workstream. `not_mine` lists work that has to be
 * done outside these tasks.
 */
export type TaskGraph = z.infer<typeof graphSchema>;

/**
 * The schema of an answer that gives work without a task to tasks. Each entry names a piece of such
 * work by its id (`item`, such as `N1`), the task that does it, the files that the task holds for it,
 * and `what` the task has to do. An empty `task` means that the piece is left out.
 */
export const placedSchema = z.strictObject({
  placed: z.array(
    z.strictObject({
      item: z.string().regex(/^N\d+$/),
      task: z.string(),
      files: z.array(z.string()),
      what: z.string(),
      why: z.string(),
    }),
  ),
});
/**
 * The decision about a piece of work that belonged to no task (`item`, such as `N1`): the task that does
 * it. An empty `task` means that the piece is left out.
 */
export type PlacedNeed = z.infer<typeof placedSchema>['placed'][number];
