/** Defines what a person can ask of a team's run. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

/** The schema of a request: what an attempt of a team's run is to do, which is to begin or go on. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
/** A request: what an attempt of a team's run is to do. */
export type TeamRequest = z.infer<typeof requestSchema>;
