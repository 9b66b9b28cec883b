/** Defines what a person can ask of a team's run. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

/** The schema of a request to a team's run. The only kind is `convene`: begin the work, or go on with it. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
/** A request: what an attempt of a team's run is to do. */
export type TeamRequest = z.infer<typeof requestSchema>;
