/** The board's settings. What a run does not name is as it was before there was such a setting. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { attachmentSchema } from '../../text/documents/attachment.ts';
import { lookSchema, toolServersSchema } from '../common/look-config.ts';

const baselineSchema = z.discriminatedUnion('kind', [
  /** One answer of one model. */
  z.object({ kind: z.literal('single') }),
  /** Several of its answers. Without a number: as many as cost about what the panel cost. */
  z.object({ kind: z.literal('vote'), samples: z.number().int().min(2).optional() }),
]);
export type Baseline = z.infer<typeof baselineSchema>;

const settingsSchema = z.object({
  /** So many answers are enough, once the others have had their time. */
  quorum: z.number().int().positive().optional(),
  /** Milliseconds that the last seats have from then on. */
  patienceMs: z.number().positive().optional(),
  /** Milliseconds that one seat's call may take, from when it is sent. */
  seatTimeoutMs: z.number().positive().optional(),
  /** Seats end with a ballot, and each synthesis has an agreement matrix beside it. */
  vote: z.boolean().optional(),
  /**
   * The number of predictions to draft from each synthesis, with a probability from every model; absent:
   * none.
   */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
  baselines: z.array(baselineSchema).optional(),
  /** Whom the baselines ask; the synthesizer's model where nobody is named. */
  baselineModel: z.string().optional(),
});
/** What can be chosen about how a board sits; all of it may be left open. */
export type BoardSettings = z.infer<typeof settingsSchema>;

export const configSchema = settingsSchema.extend({
  synthesizer: z.string(),
  /** The synthesizer sees the seats' real names, in their order. */
  open: z.boolean(),
  /**
   * Ballots are cast leaving the role. Absent in boards from before: they are asked in the words they
   * were opened with, so that nothing that was answered is asked, and paid, again.
   */
  ownVote: z.boolean().optional(),
  /**
   * An option that nobody chose stands among those that a model compares, so that one that has not read
   * them shows it. Absent in runs from before.
   */
  plantedOption: z.boolean().optional(),
  /** How hard who sits on no panel is to think, where its model knows the level. Absent in boards from before. */
  effort: z.string().optional(),
  seed: z.number().int(),
  attachments: z.array(attachmentSchema),
  /** Where its seats may look things up before they answer. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
});
export type BoardConfig = z.infer<typeof configSchema>;

/** Where a quorum is asked for and nothing is said of patience. */
export const PATIENCE_MS = 60_000;

/** The fewest samples of a vote whose number follows from the panel's price. */
export const FEWEST_SAMPLES = 3;
/** And the most. */
export const MOST_MATCHED = 9;
