/** What several protocols can be asked for, worded once. */
import * as z from 'zod';

/** Start, or go on where it stopped. */
export const conveneSchema = z.object({ kind: z.literal('convene') });

/** Ask these seats again; with another model, if one is named. */
export const retrySchema = z.object({
  kind: z.literal('retry'),
  seats: z.array(z.string()),
  model: z.string().optional(),
});

/** Synthesize once more from the answers there are; nobody else is asked. */
export const resynthesizeSchema = z.object({
  kind: z.literal('resynthesize'),
  /** The number the new synthesis will have: a request repeated after a crash makes no second one. */
  version: z.number().int().positive(),
  model: z.string().optional(),
  note: z.string().optional(),
  without: z.array(z.string()).optional(),
});

/** A person's word to the run: put before whoever is asked from then on. */
export const noteSchema = z.object({ kind: z.literal('note'), text: z.string().min(1) });
