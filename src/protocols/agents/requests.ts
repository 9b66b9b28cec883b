/** The requests that a run of agents accepts. */
import * as z from 'zod';
import { conveneSchema, retrySchema } from '../common/requests.ts';

/** The schema of the requests that an agent run accepts. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema, retrySchema]);
/** A request to an agent run: to start or continue it, or to ask agents again. */
export type AgentRequest = z.infer<typeof requestSchema>;
