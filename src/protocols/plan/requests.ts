/** What a plan can be asked for. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
export type PlanRequest = z.infer<typeof requestSchema>;
