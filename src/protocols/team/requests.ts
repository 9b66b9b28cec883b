/** Defines what a person can ask of a team's run. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

/** The schema of a request to a team's run: to begin or to go on. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
/** A request to a team's run. */
export type TeamRequest = z.infer<typeof requestSchema>;
