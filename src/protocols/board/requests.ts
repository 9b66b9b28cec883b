/** The requests that a board accepts. */
import * as z from 'zod';
import type { Request } from '../../kernel/facts.ts';
import { conveneSchema, resynthesizeSchema, retrySchema } from '../common/requests.ts';

/** The schema of the requests that a board accepts. */
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
   * Ablates a synthesis; the recorded name of this request is `weigh`. The synthesis is written
   * again without each of its seats in turn, and once more with all seats. The new versions are
   * numbered from `first`.
   */
  z.object({
    kind: z.literal('weigh'),
    base: z.number().int().positive(),
    first: z.number().int().positive(),
  }),
]);
/**
 * A request to a board: to start or continue, to ask seats again, to write another synthesis, to
 * answer a further question, or to ablate a synthesis.
 */
export type BoardRequest = z.infer<typeof requestSchema>;
/**
 * The request to write a synthesis again without each seat in turn.
 * - `base`: the version that is ablated
 * - `first`: the number of the first new version
 */
export type AblationRequest = Extract<BoardRequest, { kind: 'weigh' }>;

/** Returns the request if it asks for an ablation, otherwise undefined. */
export function getAblationRequest(request: Request): AblationRequest | undefined {
  const known = requestSchema.safeParse(request).data;
  return known?.kind === 'weigh' ? known : undefined;
}
