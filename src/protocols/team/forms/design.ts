/** What T2 hands in: who owns which files, what the parts offer one another, and the architecture. */
import * as z from 'zod';
import { idSchema, requirementId, taskSchema } from './plan.ts';

export const boundariesSchema = z.strictObject({
  /** `owns`: globs, disjoint; whatever no domain owns is lent to whoever needs it. */
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
export type Boundaries = z.infer<typeof boundariesSchema>;

const interfaceSchema = z.strictObject({
  name: z.string(),
  file: z.string(),
  signature: z.string(),
  change: z.enum(['new', 'compatible', 'breaking']),
  owner: idSchema,
  users: z.array(idSchema),
});
export type Interface = z.infer<typeof interfaceSchema>;

export const proposalSchema = z.strictObject({
  domain: idSchema,
  design: z.string(),
  interfaces: z.array(interfaceSchema),
  needs: z.array(z.strictObject({ domain: idSchema, what: z.string() })),
  risks: z.array(z.string()),
});
export type Proposal = z.infer<typeof proposalSchema>;

const contradictionId = z.string().regex(/^X\d+$/);

/** The lead's own, beside those that code finds: each side with its words. */
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
export type Architecture = z.infer<typeof architectureSchema>;

/** T1 holds the architecture against the requirements. */
export const fitSchema = z.strictObject({
  fits: z.boolean(),
  uncovered: z.array(requirementId),
  against: z.array(z.strictObject({ decision: z.string(), why: z.string() })),
});
export type Fit = z.infer<typeof fitSchema>;

export const NEED_KINDS = ['file', 'test-change', 'check', 'dependency', 'decision'] as const;
export const needSchema = z.strictObject({
  kind: z.enum(NEED_KINDS),
  what: z.string(),
  why: z.string(),
});
export type Need = z.infer<typeof needSchema>;

/** One T3's part; code joins all into one graph of the run. */
export const graphSchema = z.strictObject({
  tasks: z.array(taskSchema).min(1),
  not_mine: z.array(needSchema),
});
export type TaskGraph = z.infer<typeof graphSchema>;

/** What becomes of what squads say has to be done and is nobody's. An empty task: it is left out. */
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
export type Placed = z.infer<typeof placedSchema>['placed'][number];
