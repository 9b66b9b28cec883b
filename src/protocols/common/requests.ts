/** Requests that several protocols accept. */
import * as z from 'zod';

/** Starts a run, or continues it where it stopped. */
export const conveneSchema = z.object({ kind: z.literal('convene') });

/** Asks these seats again, with another model if one is named. */
export const retrySchema = z.object({
  kind: z.literal('retry'),
  seats: z.array(z.string()),
  model: z.string().optional(),
});

/** Writes another synthesis from the present answers; no seat is asked. */
export const resynthesizeSchema = z.object({
  kind: z.literal('resynthesize'),
  /** The version of the new synthesis, so that a request repeated after a crash makes no second one. */
  version: z.number().int().positive(),
  model: z.string().optional(),
  note: z.string().optional(),
  without: z.array(z.string()).optional(),
});

/** A person's note to the run, shown to seats that are asked from then on. */
export const noteSchema = z.object({ kind: z.literal('note'), text: z.string().min(1) });
