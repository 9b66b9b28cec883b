/** What a team can be asked for. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
export type TeamRequest = z.infer<typeof requestSchema>;
