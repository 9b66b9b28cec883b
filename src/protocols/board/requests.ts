/** The requests that a board accepts. */
import * as z from 'zod';
import type { Request } from '../../kernel/facts.ts';
import { conveneSchema, resynthesizeSchema, retrySchema } from '../common/requests.ts';

export const requestSchema = z.discriminatedUnion('kind', [
  conveneSchema,
  retrySchema,
  resynthesizeSchema,
  /** Asks the same seats a further question. The first question of a run has the number 1. */
  z.object({
    kind: z.literal('follow-up'),
    number: z.number().int().min(2),
    question: z.string().min(1),
  }),
  /**
   * Ablates a synthesis, under the name that is used on record: one more synthesis without each of its seats,
   * numbered from `first`, and one with all.
   */
  z.object({
    kind: z.literal('weigh'),
    base: z.number().int().positive(),
    first: z.number().int().positive(),
  }),
]);
export type BoardRequest = z.infer<typeof requestSchema>;
export type AblationRequest = Extract<BoardRequest, { kind: 'weigh' }>;

/** Returns the request if it asks for an ablation; otherwise undefined. */
export function ablationIn(request: Request): AblationRequest | undefined {
  const known = requestSchema.safeParse(request).data;
  return known?.kind === 'weigh' ? known : undefined;
}
