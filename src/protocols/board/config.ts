/** The board's settings. A setting that a run lacks means the behavior from before that setting existed. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { attachmentSchema } from '../../text/documents/attachment.ts';
import { lookSchema, toolServersSchema } from '../common/settings/look-config.ts';

const baselineSchema = z.discriminatedUnion('kind', [
  /** One answer of one model. */
  z.object({ kind: z.literal('single') }),
  /**
   * Several answers of one model, on which a vote is held. If `samples` is absent, the answers together take
   * about as many tokens as the panel.
   */
  z.object({ kind: z.literal('vote'), samples: z.number().int().min(2).optional() }),
]);
/**
 * A way to answer without a panel, with which the panel is compared: one answer of one model, or
 * the vote of several.
 */
export type Baseline = z.infer<typeof baselineSchema>;

const settingsSchema = z.object({
  /** How many answers suffice after the time in `patienceMs` has passed. */
  quorum: z.number().int().positive().optional(),
  /** Milliseconds that the other seats get after the quorum is reached. */
  patienceMs: z.number().positive().optional(),
  /** The most milliseconds of a seat's call, from when it is sent. */
  seatTimeoutMs: z.number().positive().optional(),
  /** Whether seats end with a ballot, and each synthesis gets a table of positions. */
  vote: z.boolean().optional(),
  /**
   * The number of predictions to draft from each synthesis. Every model of the panel gives a probability for
   * each prediction. Absent or 0 if no predictions are drafted.
   */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
  /** The ways to answer without a panel that are asked after the first synthesis. Absent for none. */
  baselines: z.array(baselineSchema).optional(),
  /** The model of the baselines; default: the synthesizer's. */
  baselineModel: z.string().optional(),
});
/** The settings that a person can choose. All of them are optional. */
export type BoardSettings = z.infer<typeof settingsSchema>;

/** The schema of a board's recorded settings. */
export const configSchema = settingsSchema.extend({
  synthesizer: z.string(),
  /** Whether the synthesizer sees the seats' names and order instead of letters. */
  open: z.boolean(),
  /**
   * Whether each seat is told to leave its role for its ballot and to vote by its own opinion. Absent in older
   * boards: they keep their old prompt, so that no recorded answer is asked and paid for again.
   */
  ownVote: z.boolean().optional(),
  /**
   * Whether an option that nobody chose is added when a model compares options, to reveal a model that has not
   * read them. Absent in older runs.
   */
  plantedOption: z.boolean().optional(),
  /** The effort of models outside the panel, if they support it. Absent if no effort was set. */
  effort: z.string().optional(),
  seed: z.number().int(),
  attachments: z.array(attachmentSchema),
  /** The folders that seats may look into before they answer. */
  look: lookSchema,
  /** The tool servers that seats may use. */
  toolServers: toolServersSchema,
});
/** The recorded settings of a board. */
export type BoardConfig = z.infer<typeof configSchema>;

/**
 * The default time in milliseconds for the remaining seats to answer, once as many seats have answered
 * as the quorum requires.
 */
export const PATIENCE_MS = 60_000;

/**
 * The fewest answers in a baseline of the kind `vote` (a vote of one model without a panel), if the settings give no
 * number of answers. The number is then computed from the tokens that the panel took.
 */
export const FEWEST_SAMPLES = 3;
/**
 * The most answers in a baseline of the kind `vote` (a vote of one model without a panel), if the settings give no
 * number of answers. The number is then computed from the tokens that the panel took.
 */
export const MOST_MATCHED = 9;
