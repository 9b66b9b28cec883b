/** What a board can be asked for. */
import * as z from 'zod';
import type { Request } from '../../kernel/facts.ts';
import { conveneSchema, resynthesizeSchema, retrySchema } from '../common/requests.ts';

export const requestSchema = z.discriminatedUnion('kind', [
  conveneSchema,
  retrySchema,
  resynthesizeSchema,
  /** Put a further question to the same seats. The first question of a run is number 1. */
  z.object({
    kind: z.literal('follow-up'),
    number: z.number().int().min(2),
    question: z.string().min(1),
  }),
  /**
   * The ablation of a synthesis, under the word that runs are recorded with: one more without each of its
   * seats, numbered from `first`, and one with all.
   */
  z.object({
    kind: z.literal('weigh'),
    base: z.number().int().positive(),
    first: z.number().int().positive(),
  }),
]);
export type BoardRequest = z.infer<typeof requestSchema>;
export type AblationRequest = Extract<BoardRequest, { kind: 'weigh' }>;

/** The request as one for an ablation; undefined where it is another. */
export function ablationIn(request: Request): AblationRequest | undefined {
  const known = requestSchema.safeParse(request).data;
  return known?.kind === 'weigh' ? known : undefined;
}
