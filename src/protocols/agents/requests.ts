/** The requests that a run of agents accepts. */
import * as z from 'zod';
import { conveneSchema, retrySchema } from '../common/requests.ts';

export const requestSchema = z.discriminatedUnion('kind', [conveneSchema, retrySchema]);
export type AgentRequest = z.infer<typeof requestSchema>;
