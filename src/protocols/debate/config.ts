/** The settings of a debate: a method, and the settings of a person's own protocol. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { configSchema } from '../../sdk/config.ts';

/**
 * The value of the setting `method` with which the program chooses a method that suits the
 * question.
 */
export const AUTO = 'auto';

/** The schema of an estimated number of calls. */
export const plannedCallsSchema = z.object({
  low: z.number().int().min(0),
  high: z.number().int().min(0),
});

/** The schema of a debate's settings. */
export const debateConfigSchema = configSchema.extend({
  /** The name of a method, or `auto`. */
  method: z.string(),
  /** The name of the preset of values that was used. Absent for none, and for the preset that is named like its method. */
  values: z.string().optional(),
  /** Set if seats other than the judge may use tools before they speak. */
  looks: z.literal(true).optional(),
  /**
   * The number of predictions to draft from the conclusion. If absent or 0, no predictions are drafted.
   */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
  /**
   * How many calls the debate makes, those for predictions included, as estimated before it began, to say how much
   * time is left. Absent in older debates, in debates of an evaluation, and if the method was still to be chosen.
   */
  plannedCalls: plannedCallsSchema.optional(),
});
/** The settings of a debate. */
export type DebateConfig = z.infer<typeof debateConfigSchema>;
