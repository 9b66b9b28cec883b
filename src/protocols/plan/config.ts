/** What a plan is made with: recorded at its start, and the same for every attempt. */
import * as z from 'zod';
import { attachedSchema } from '../common/attached.ts';
import { documentsSchema, lookSchema, toolServersSchema } from '../common/look-config.ts';

/** The seats beside the roles. */
export const CHAIR = 'chair';
export const RESEARCHER = 'researcher';

/** Whose the statements are that the person decides in their own words. */
export const PERSON = 'person';

/** What the repository is called among the folders that seats may look into. */
export const ROOT = 'repo';

const cardSchema = z.object({
  name: z.string(),
  line: z.string(),
  words: z.array(z.string()).optional(),
});
export type Card = z.infer<typeof cardSchema>;

export const configSchema = z.object({
  /** By seat: the clusters whose context it is shown. */
  roles: z.record(
    z.string(),
    /** `called`: by the person, whatever the topic touches. */
    z.object({ clusters: z.array(z.string()), called: z.literal(true).optional() }),
  ),
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
  /**
   * The edition: which prompts the run uses, and how options that all seats accept are settled. From the
   * third on no conflict is dropped and the spec is read again. From the fourth on fixes carry the
   * replacement text, and another topic's files are not taken for the run's own. From the fifth on controls are
   * written like one of their seat's statements, and the person may say that options go together. Absent in
   * runs from before the second.
   */
  prompts: z.literal([2, 3, 4, 5]).optional(),
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
  documents: documentsSchema,
  /** The documents that all specialists and the chair are shown, whatever their domain. */
  attachments: attachedSchema,
  /** The files were accepted beforehand (`--yes`): whoever resumes it writes them. */
  accept: z.literal(true).optional(),
  /** Whether somebody is there to decide what the seats cannot. */
  person: z.boolean(),
  /** Of an earlier run on the same topic: the chair is not asked again what to search for. */
  staffing: z.object({ queries: z.array(z.string()), named: z.array(z.string()) }).optional(),
  /** Where the outcome is to go, as seen from the repository. */
  output: z.object({
    slug: z.string(),
    /** Where topics lie. */
    topics: z.string(),
    specs: z.string(),
    fixes: z.string(),
    /** What was found out in the code. */
    research: z.string(),
    /** The topic's own file, where it has one. */
    topic: z.string().optional(),
  }),
  /** Which seats get another model from which step on: made by forks. */
  changes: z.array(z.object({ from: z.string(), seat: z.string(), model: z.string() })).optional(),
});
export type PlanConfig = z.infer<typeof configSchema>;

/** What a run that is convened today is held by; older ones keep what they began with. */
export const LATEST = { prompts: 5 } as const satisfies Partial<PlanConfig>;

export type Edition = 1 | 2 | 3 | 4 | 5;

export function editionOf({ prompts }: { readonly prompts?: unknown }): Edition {
  return prompts === 2 || prompts === 3 || prompts === 4 || prompts === 5 ? prompts : 1;
}

export const DEFAULTS = { rounds: 3, gateTokens: 4_000, researchers: 3 } as const;

/** Of the seed: what a researcher, a specialist and the synthesis may take, in milliseconds. */
export const TIME_LIMITS = { research: 300_000, specialist: 600_000, synthesis: 900_000 } as const;
