/** Defines what a person can ask of a plan's run. */
import * as z from 'zod';
import { conveneSchema } from '../common/requests.ts';

/** The schema of a request to a plan's run: to begin or to go on. */
export const requestSchema = z.discriminatedUnion('kind', [conveneSchema]);
/** A request to a plan's run: to begin or to go on. */
export type PlanRequest = z.infer<typeof requestSchema>;
