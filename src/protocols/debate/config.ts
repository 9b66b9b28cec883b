/** What a debate is held with: a method, and what that is held with like any protocol of somebody's own. */
import * as z from 'zod';
import { MOST_PREDICTIONS } from '../../decisions/predictions.ts';
import { configSchema } from '../../sdk/config.ts';

/** What stands where the person leaves the method open. */
export const AUTO = 'auto';

export const debateConfigSchema = configSchema.extend({
  /** The name of a method, or `auto`. */
  method: z.string(),
  /** The values that it was taken from, where those were named. */
  values: z.string().optional(),
  /** Whether seats may look things up before they speak. Absent in debates from before, in which none did. */
  looks: z.literal(true).optional(),
  /** The number of predictions to draft from the conclusion; absent: none. */
  predict: z.number().int().min(0).max(MOST_PREDICTIONS).optional(),
});
export type DebateConfig = z.infer<typeof debateConfigSchema>;
