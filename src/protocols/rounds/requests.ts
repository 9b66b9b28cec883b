/**
 * The requests that a deliberation accepts, and the messages that a person can send while it runs.
 */
import * as z from 'zod';
import { conveneSchema, noteSchema, resynthesizeSchema } from '../common/requests.ts';
import { roleSchema } from './records/types.ts';

/** The schema of a request: what an attempt at a deliberation in rounds is to do. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema, resynthesizeSchema]);
/** What an attempt is to do: start or continue a deliberation, or write another synthesis. */
export type RoundsRequest = z.infer<typeof requestSchema>;

/** The schema of what a person can send to a running deliberation. */
export const controlSchema = z.discriminatedUnion('kind', [
  /** A message to the running deliberation: a person's note for the roles in the next round. */
  noteSchema,
  /** A message that chooses the role that the next round leaves out; null leaves out nobody. */
  z.object({ kind: z.literal('stress'), absent: roleSchema.nullable() }),
  /** A message that chooses the failure modes to which the next round responds: `FM-1`, … */
  z.object({ kind: z.literal('respond'), modes: z.array(z.string()).min(1) }),
]);
