/**
 * Defines the settings of a plan's run. They are recorded when it starts and are the same for every
 * attempt.
 */
import * as z from 'zod';
import { attachedSchema } from '../common/prompts/attached.ts';
import { documentsSchema, lookSchema, toolServersSchema } from '../common/settings/look-config.ts';

/**
 * The id of the chair: the seat that calls in specialists, looks for conflicts between them and
 * writes the spec (the finished plan).
 */
export const CHAIR = 'chair';
/** The id of the seat that looks up open questions in the repository. */
export const RESEARCHER = 'researcher';

/** The name used instead of a seat's role in statements made by the person. */
export const PERSON = 'person';

/** The name under which tools and the database know the repository. Paths of its files do not contain this name. */
export const ROOT = 'repo';

const cardSchema = z.object({
  name: z.string(),
  line: z.string(),
  words: z.array(z.string()).optional(),
});
/** A short description of a cluster (a domain of the project's documents). */
export type Card = z.infer<typeof cardSchema>;

/**
 * The editions of the rules that runs record. Runs of edition 1 record none. A control is a statement that is planted
 * to test readers. What came with each edition:
 * - 3: no conflict is dropped, and readers read the spec again.
 * - 4: fixes contain the replacement text, and files of another topic are not taken for the run's own.
 * - 5: each control resembles a statement of the seat to which it is attributed, and the person may say that all
 *   options can be followed together.
 * - 6: a control must contain digits only if every statement of its seat contains digits, and the prompt for writing
 *   the control says so. Chance decides which id of its seat a control gets, such as `security-3`.
 * - 7: a part of the spec is listed as unread if all its readers missed the planted fault. A control must be as long
 *   and as sure as statements of its seat. A seat that says that all options can be followed has to say how.
 * - 8: a control is refused as a heap of words if nearly all its pairs of neighboring words occur nowhere else.
 */
const EDITIONS = [2, 3, 4, 5, 6, 7, 8] as const;

/** The schema of a plan's settings. */
export const configSchema = z.object({
  /** For each specialist, by the id of its seat: the clusters whose documents the seat may be shown. */
  roles: z.record(
    z.string(),
    /** `called` is set if the person wants the specialist to take part whatever the topic is. */
    z.object({ clusters: z.array(z.string()), called: z.literal(true).optional() }),
  ),
  cards: z.array(cardSchema),
  /** The most rounds of debate. */
  rounds: z.number().int().min(1).max(3),
  /** The most tokens of documents that a seat is shown, by estimate. Attached documents are not counted. */
  gateTokens: z.number().int().positive(),
  /** The most questions without a full answer in documents that a researcher (a model with tools) takes on. */
  researchers: z.number().int().min(0).max(10),
  /**
   * The commit of the repository, and whether files were changed since. Absent if git finds no commit, and in plans
   * for the built-in example.
   */
  commit: z.object({ hash: z.string(), dirty: z.boolean() }).optional(),
  seed: z.number().int(),
  /**
   * The edition of the rules: a number that rises when the plan's prompts or rules change; see `EDITIONS`. Absent in
   * runs of edition 1.
   */
  prompts: z.literal(EDITIONS).optional(),
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
  documents: documentsSchema,
  /** The documents that all specialists and the chair are shown, whatever their domain. */
  attachments: attachedSchema,
  /**
   * Whether the files were accepted beforehand with `--yes`, so that they are written when the run is
   * resumed.
   */
  accept: z.literal(true).optional(),
  /** Whether a person is there to decide what seats cannot. */
  person: z.boolean(),
  /** The queries and named clusters of an earlier run on the same topic, which are used again. */
  staffing: z.object({ queries: z.array(z.string()), named: z.array(z.string()) }).optional(),
  /** Where the files are written, relative to the repository. */
  output: z.object({
    slug: z.string(),
    /** The folder of topics. */
    topics: z.string(),
    specs: z.string(),
    fixes: z.string(),
    /** The folder for what research finds in the code. */
    research: z.string(),
    /** The topic's own file, relative to the repository. Absent if the topic has no file in the repository. */
    topic: z.string().optional(),
  }),
  /** Which seats use another model from which step on; added by forks. */
  changes: z.array(z.object({ from: z.string(), seat: z.string(), model: z.string() })).optional(),
});
/** The settings of a plan's run. */
export type PlanConfig = z.infer<typeof configSchema>;

/** The settings that select the latest rules, for new runs. Older runs keep the rules they began with. */
export const LATEST = { prompts: 8 } as const satisfies Partial<PlanConfig>;

/** The edition of a plan's rules and prompts. */
export type Edition = 1 | (typeof EDITIONS)[number];

/** Returns the edition of the rules that a run follows; 1 if its settings name no known edition. */
export function editionOf({ prompts }: { readonly prompts?: unknown }): Edition {
  return EDITIONS.find((edition) => edition === prompts) ?? 1;
}

/**
 * Default settings: the most rounds, the most tokens of documents that each seat is shown, and the
 * most questions that are researched in the repository.
 */
export const DEFAULTS = { rounds: 3, gateTokens: 4_000, researchers: 3 } as const;

/**
 * The time limits, in milliseconds, of the research of a question, of a specialist's answer, and of writing
 * the spec.
 */
export const TIME_LIMITS = { research: 300_000, specialist: 600_000, synthesis: 900_000 } as const;
