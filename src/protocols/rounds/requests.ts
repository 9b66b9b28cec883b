/** What a deliberation in rounds can be asked for, and told while it goes on. */
import * as z from 'zod';
import { conveneSchema, noteSchema, resynthesizeSchema } from '../common/requests.ts';
import { roleSchema } from './facts.ts';

/** The schema of the requests that a deliberation in rounds accepts. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema, resynthesizeSchema]);
/** A request: to start or continue a deliberation, or to write another synthesis. */
export type RoundsRequest = z.infer<typeof requestSchema>;

/** The schema of what a person can send to a running deliberation. */
export const controlSchema = z.discriminatedUnion('kind', [
  /** Put before every seat that is asked from then on. */
  noteSchema,
  /** The next round goes without this role; with nobody absent where it is null. */
  z.object({ kind: z.literal('stress'), absent: roleSchema.nullable() }),
  /** The next round answers these suspected failure modes: `FM-1`, … */
  z.object({ kind: z.literal('respond'), modes: z.array(z.string()).min(1) }),
]);
