/** Requests that several protocols accept. */
import * as z from 'zod';

/** The schema of the request to start a run or to continue an interrupted run. */
export const conveneSchema = z.object({ kind: z.literal('convene') });

/** The schema of the request to ask certain seats again, with another model if `model` is given. */
export const retrySchema = z.object({
  kind: z.literal('retry'),
  seats: z.array(z.string()),
  model: z.string().optional(),
});

/** The schema of the request to write another synthesis from the present answers. No seat is asked again. */
export const resynthesizeSchema = z.object({
  kind: z.literal('resynthesize'),
  /**
   * The number of the new synthesis. If a synthesis with this number is already on record, a repeated request
   * writes no further one.
   */
  version: z.number().int().positive(),
  /** The model that writes the synthesis; default: the run's synthesizer. */
  model: z.string().optional(),
  /** An instruction by the person. */
  note: z.string().optional(),
  /** The ids of the seats whose answers the new synthesis does not use. */
  without: z.array(z.string()).optional(),
});

/**
 * The schema of a person's note to a running deliberation. Prompts that are made later contain the note; on a board,
 * only those of the synthesizer.
 */
export const noteSchema = z.object({ kind: z.literal('note'), text: z.string().min(1) });
