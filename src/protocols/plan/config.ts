/** What a plan is made with: recorded at its start, and the same for every attempt. */
import * as z from 'zod';

/** The seats beside the roles. */
export const CHAIR = 'chair';
export const RESEARCHER = 'researcher';

const cardSchema = z.object({
  name: z.string(),
  line: z.string(),
  words: z.array(z.string()).optional(),
});
export type Card = z.infer<typeof cardSchema>;

export const configSchema = z.object({
  /** By seat: the clusters whose context it is shown. */
  roles: z.record(z.string(), z.object({ clusters: z.array(z.string()) })),
  cards: z.array(cardSchema),
  /** Rounds of debate, at most. */
  rounds: z.number().int().min(1).max(3),
  /** Tokens of context a seat is shown at most, by estimate. */
  gateTokens: z.number().int().positive(),
  /** Open questions that are researched, at most; 0: none. */
  researchers: z.number().int().min(0).max(10),
  /** The commit that was looked at, and whether files had changed since; absent without a repository. */
  commit: z.object({ hash: z.string(), dirty: z.boolean() }).optional(),
  seed: z.number().int(),
});
export type PlanConfig = z.infer<typeof configSchema>;

export const DEFAULTS = { rounds: 3, gateTokens: 4_000, researchers: 3 } as const;

/** Of the seed: what a researcher, a specialist and the synthesis may take, in milliseconds. */
export const TIME_LIMITS = { research: 300_000, specialist: 600_000, synthesis: 900_000 } as const;
